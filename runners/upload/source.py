"""An upload without running any of it: is it text, is it Python, is it a bot.

Everything wrong is a `Finding` with a code. An untrusted file is read in a child with limits; what
it really does is for the box to see.
"""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import CodeType

from runners import limited_process
from runners.bundles.bundle import Bundle
from runners.bundles.limits import DEFAULT as BUNDLE_LIMITS, BundleLimits
from runners.bundles.unpack import is_zip, unpack
from runners.limits import Limits
from runners.recent_results import Recent
from runners.upload.bundle_source import empty_bundle_outline, read_bundle_outline, read_texts
from runners.upload.finding import Finding
from runners.upload.outline import Problem, outline, understand
from runners.upload.outlines import Outline, as_outline, empty_outline, terms_for
from runners.upload.steps import StepName

__all__ = [
    "Finding",
    "Outline",
    "Upload",
    "compile_source",
    "outline_own",
    "read_outline",
    "read_text",
    "read_upload",
]

MAX_REMEMBERED = 256
"""Outlines that a process keeps, by the digests of the files: pages ask for them again."""
_FOLDER = str(Path(__file__).parent)
_outlines: "Recent[Outline]" = Recent(MAX_REMEMBERED)


@dataclass(frozen=True, slots=True)
class Upload:
    """What was read: its text, and what can be told of it without running it."""

    text: str
    """Of a bundle, that of its entry file."""
    outline: Outline
    bundle: Bundle | None = None
    texts: dict[str, str] = field(default_factory=dict)
    """The texts of all Python files of a bundle, by path."""

    def text_of(self, file: str | None) -> str:
        """Return the text of a file of a bundle; without one, or of a single file, the text."""
        return self.text if file is None else self.texts.get(file, "")


def read_upload(
    data: bytes | Bundle, limits: Limits, bundle_limits: BundleLimits = BUNDLE_LIMITS
) -> Upload:
    """Read an untrusted file, zip or bundle. What is wrong with it is in the outline, for the
    step that says so.

    `InfrastructureError` if nobody can tell at the moment.
    """
    if isinstance(data, Bundle):
        return _read_bundle(data, limits)
    try:
        if is_zip(data):
            return _read_bundle(unpack(data, bundle_limits), limits)
        text = read_text(data, limits)
    except Finding as finding:
        return Upload("", empty_bundle_outline(finding))
    return Upload(text, read_outline(text))


def _read_bundle(bundle: Bundle, limits: Limits) -> Upload:
    try:
        texts = read_texts(bundle, limits)
    except Finding as finding:
        return Upload("", empty_bundle_outline(finding), bundle)
    return Upload(texts[str(bundle.entry)], read_bundle_outline(bundle, texts), bundle, texts)


def read_text(data: bytes, limits: Limits) -> str:
    """Return the text of a single file, or raise a `Finding`; who takes bundles reads an upload."""
    if is_zip(data):
        raise Finding("E106", {"reason": "It is a ZIP archive, and only a single file fits here"})
    if len(data) > limits.source_kib << 10:
        size, max_size = -(-len(data) // 1024), limits.source_kib
        reason = f"The file has {size:,} KB, the limit is {max_size} KB"
        raise Finding("E106", {"reason": reason})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Finding("E106", {"reason": f"The file is not UTF-8: byte {error.start:,}"}) from None
    if "\0" in text:
        raise Finding("E106", {"reason": f"The file has a zero byte at {text.index(chr(0)):,}"})
    return text


def read_outline(text: str) -> Outline:
    """Outline an untrusted file in a child that cannot be kept busy, once for each text."""
    return _outlines.get(sha256(text.encode()).digest(), lambda: _outline_in_child(text))


def outline_own(text: str) -> Outline:
    """Outline a file in this process. Only for one that is trusted: a parser can be kept busy."""
    return as_outline(outline(text, terms_for(text)))


def compile_source(text: str, name: str) -> CodeType:
    """Return the file as code. Only for one that is trusted: a compiler can be kept busy."""
    try:
        return understand(text, lambda: compile(text, name, "exec", dont_inherit=True))
    except Problem as problem:
        raise Finding(**problem.facts) from None


def _outline_in_child(text: str) -> Outline:
    data = json.dumps(terms_for(text)).encode() + b"\n" + text.encode()
    try:
        return as_outline(json.loads(limited_process.run("outline", data, folders=[_FOLDER])))
    except limited_process.TooExpensive as error:
        return empty_outline(StepName.SYNTAX, {"code": "E106", "values": {"reason": str(error)}})

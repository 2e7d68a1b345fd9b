"""A bundle without running any of it: all its Python files are read, and what they import.

Files of others are read in a child with limits, as a single file is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runners import limited_process
from runners.bundles.bundle import Bundle
from runners.bundles.rules import unusable
from runners.limits import Limits
from runners.recent_results import Recent
from runners.upload.finding import Finding
from runners.upload.outline.bundle import outline_bundle
from runners.upload.outlines import Outline, as_outline, empty_outline, terms_for
from runners.upload.steps import StepName

MAX_PYTHON_MIB = 2
"""All Python files of a bundle together."""
MAX_REMEMBERED = 64
"""Outlines that a process keeps, by the digests of the bundles."""
CHILD_LIMITS = limited_process.ChildLimits(cpu_seconds=4, memory_mib=512, wall_seconds=60)
_FOLDER = str(Path(__file__).parent)
_outlines: "Recent[Outline]" = Recent(MAX_REMEMBERED)


def read_texts(bundle: Bundle, limits: Limits) -> dict[str, str]:
    """Return the texts of all Python files, or raise a `Finding`."""
    texts = {path: _read_text(path, data, limits) for path, data in bundle.python_files.items()}
    size = sum(len(data) for data in bundle.python_files.values())
    if size > MAX_PYTHON_MIB << 20:
        raise unusable(
            f"the Python files have {size >> 10:,} KB together, the limit is"
            f" {MAX_PYTHON_MIB << 10:,} KB; put large tables into data files"
        )
    return texts


def _read_text(path: str, data: bytes, limits: Limits) -> str:
    if len(data) > limits.source_kib << 10:
        size = -(-len(data) // 1024)
        raise unusable(
            f"it has {size:,} KB of Python, the limit is {limits.source_kib} KB;"
            " put large tables into data files",
            path,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unusable(f"it is not UTF-8: byte {error.start:,}; save it as UTF-8", path) from None
    if "\0" in text:
        raise unusable(f"it has a zero byte at {text.index(chr(0)):,}; write text there", path)
    return text


def read_bundle_outline(bundle: Bundle, texts: Mapping[str, str]) -> Outline:
    """Outline an untrusted bundle in a child that cannot be kept busy, once for each bundle."""
    key = bytes.fromhex(bundle.digest)
    return _outlines.get(key, lambda: _outline_in_child(bundle, texts))


def outline_own_bundle(bundle: Bundle, texts: Mapping[str, str]) -> Outline:
    """Outline a bundle in this process. Only for one that is trusted."""
    paths = sorted(bundle.files)
    facts = outline_bundle(texts, paths, str(bundle.entry), terms_for(*texts.values()))
    return as_outline(facts, sorted(texts))


def empty_bundle_outline(finding: Finding) -> Outline:
    """Return the outline of a bundle that cannot be read for this reason."""
    facts: dict[str, Any] = {"code": finding.code, "values": finding.values, "file": finding.file}
    return empty_outline(StepName.TEXT, facts)


def _outline_in_child(bundle: Bundle, texts: Mapping[str, str]) -> Outline:
    contents = {path: text.encode() for path, text in texts.items()}
    request = {
        "terms": terms_for(*texts.values()),
        "paths": sorted(bundle.files),
        "entry": bundle.entry,
        "texts": [(path, len(content)) for path, content in contents.items()],
    }
    data = b"".join([json.dumps(request).encode(), b"\n", *contents.values()])
    try:
        answer = limited_process.run("outline.bundle", data, folders=[_FOLDER], limits=CHILD_LIMITS)
    except limited_process.TooExpensive as error:
        finding = unusable(f"{error}; leave files out, or write them simpler")
        return empty_outline(StepName.SYNTAX, {"code": finding.code, "values": finding.values})
    return as_outline(json.loads(answer), sorted(texts))

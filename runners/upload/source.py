"""An uploaded file without running any of it: is it text, is it Python, is it a bot.

Everything wrong is a `Finding` with a code. An untrusted file is read in a child with limits; what
it really does is for the box to see.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

from engine.registry import GAMES
from runners import limited_process
from runners.box.manifest import manifest
from runners.box.policy import USELESS_MODULES
from runners.faults import Value
from runners.limits import Limits
from runners.recent_results import Recent
from runners.upload.outline import Problem, outline, understand
from runners.upload.steps import READING_STEPS, StepName

MAX_REMEMBERED = 256
"""Outlines that a process keeps, by the digests of the files: pages ask for them again."""
_FOLDER = str(Path(__file__).parent)
_outlines: "Recent[Outline]" = Recent(MAX_REMEMBERED)


@dataclass(eq=False)
class Finding(Exception):
    """What is wrong with a file: a code, the values for its texts, and the place."""

    code: str
    values: dict[str, Value] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be told of a file: its bot, or what is wrong with it, by the step that says so."""

    problems: Mapping[str, Mapping[str, Any]]
    name: str
    """Of the class that will play."""
    line: int | None
    games: tuple[str, ...]
    """What it says it plays, only games that there are; none means all."""
    imports: tuple[str, ...]

    def finding(self, step: StepName) -> Finding | None:
        """Return what this step finds wrong; a new one each time, as it is there to be raised."""
        facts = self.problems.get(step)
        return Finding(**facts) if facts else None

    def findings(self) -> list[Finding]:
        """Return everything that is wrong, in the order of the steps."""
        return [finding for step in READING_STEPS if (finding := self.finding(step))]

    def check(self, *steps: StepName) -> None:
        """Raise what the first of these steps finds wrong, if one does."""
        for step in steps:
            if finding := self.finding(step):
                raise finding

    def plays(self) -> tuple[str, ...]:
        """Return the games it plays, in the order of the registry."""
        return tuple(game for game in GAMES if not self.games or game in self.games)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was read: its text, and what can be told of it without running it."""

    text: str
    outline: Outline


def read_upload(data: bytes, limits: Limits) -> Upload:
    """Read an untrusted file. What is wrong with it is in the outline, for the step that says so.

    `InfrastructureError` if nobody can tell at the moment.
    """
    try:
        text = read_text(data, limits)
    except Finding as finding:
        facts = {"code": finding.code, "values": finding.values}
        return Upload("", _empty_outline(StepName.TEXT, facts))
    return Upload(text, read_outline(text))


def read_text(data: bytes, limits: Limits) -> str:
    """Return the text of the file, or raise a `Finding`."""
    if data.startswith(b"PK\x03\x04"):
        raise Finding("E106", {"reason": "It is a ZIP archive"})
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
    return _as_outline(outline(text, _terms()))


def compile_source(text: str, name: str) -> CodeType:
    """Return the file as code. Only for one that is trusted: a compiler can be kept busy."""
    try:
        return understand(text, lambda: compile(text, name, "exec", dont_inherit=True))
    except Problem as problem:
        raise Finding(**problem.facts) from None


@cache
def _terms() -> dict[str, Any]:
    """Return what a reader has to know of this installation."""
    box = manifest()
    return {
        "bases": dict(box.bases),
        "packages": sorted(box.base_packages),
        "games": list(box.games),
        "importable": sorted(box.importable),
        "useless": sorted(USELESS_MODULES),
    }


def _outline_in_child(text: str) -> Outline:
    data = json.dumps(_terms()).encode() + b"\n" + text.encode()
    try:
        return _as_outline(json.loads(limited_process.run("outline", data, folders=[_FOLDER])))
    except limited_process.TooExpensive as error:
        return _empty_outline(StepName.SYNTAX, {"code": "E106", "values": {"reason": str(error)}})


def _empty_outline(step: StepName, facts: Mapping[str, Any]) -> Outline:
    """Return the outline of a file of which nothing is known but what this step finds wrong."""
    return Outline({step: facts}, "", None, (), ())


def _as_outline(document: dict[str, Any]) -> Outline:
    return Outline(
        document["problems"],
        document["name"],
        document["line"],
        tuple(document["games"]),
        tuple(document["imports"]),
    )

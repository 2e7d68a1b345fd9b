"""An uploaded file without running any of it: is it text, is it Python, is it a bot.

Everything wrong is a `Finding` with a code. An untrusted file is read in a child with limits; what
it really does is for the box to see.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
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
from runners.plugins.kit import HOUSE
from runners.recent_results import Recent
from runners.upload.finding import Finding
from runners.upload.outline import Problem, outline, understand
from runners.upload.steps import READING_STEPS, StepName

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
LIKENESS = 0.75
"""How alike two names are, from 0 to 1, if one is probably the other misspelt."""
DECIDE = "decide"
"""The method that every bot has."""
PLAIN_BASE = "Bot"
"""The class that has no other method for a decision."""
_FOLDER = str(Path(__file__).parent)
_outlines: "Recent[Outline]" = Recent(MAX_REMEMBERED)


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
    methods: Mapping[str, str] = field(default_factory=dict)
    """The method that is asked for each decision; `decide` is for all that are not named."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Where the file writes these methods."""
    warnings: tuple[Finding, ...] = ()
    """What is worth a look and no reason to refuse the file."""

    def method_for(self, decision: str) -> str:
        """Return the method that answers this decision."""
        return self.methods.get(decision, DECIDE)

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
    return _as_outline(outline(text, _terms_for(text)))


def compile_source(text: str, name: str) -> CodeType:
    """Return the file as code. Only for one that is trusted: a compiler can be kept busy."""
    try:
        return understand(text, lambda: compile(text, name, "exec", dont_inherit=True))
    except Problem as problem:
        raise Finding(**problem.facts) from None


def _terms_for(text: str) -> dict[str, Any]:
    """Return what a reader of this text has to know; of house bots only if it may name one."""
    return _terms(with_house=HOUSE in text)


@cache
def _terms(*, with_house: bool) -> dict[str, Any]:
    """Return what a reader has to know of this installation."""
    box = manifest()
    return {
        "bases": {name: [game] if game else [] for name, game in box.bases.items()},
        "plain_base": PLAIN_BASE,
        "methods": {name: dict(methods) for name, methods in box.methods.items()},
        "house": _house_bots() if with_house else {},
        "packages": sorted(box.base_packages),
        "games": list(box.games),
        "importable": sorted(box.importable),
        "useless": sorted(USELESS_MODULES),
    }


def _house_bots() -> dict[str, dict[str, Any]]:
    """Return the house bots that can be inherited from, by their paths: what each is built on."""
    terms = _terms(with_house=False)
    bots = {}
    for module, path in manifest().house.items():
        facts = outline(path.read_text(encoding="utf-8"), terms)
        if facts["name"]:
            root = {"base": facts["base"], "games": facts["games"], "plays": True}
            bots[f"{module}.{facts['name']}"] = root
    return bots


def _outline_in_child(text: str) -> Outline:
    data = json.dumps(_terms_for(text)).encode() + b"\n" + text.encode()
    try:
        return _as_outline(json.loads(limited_process.run("outline", data, folders=[_FOLDER])))
    except limited_process.TooExpensive as error:
        return _empty_outline(StepName.SYNTAX, {"code": "E106", "values": {"reason": str(error)}})


def _empty_outline(step: StepName, facts: Mapping[str, Any]) -> Outline:
    """Return the outline of a file of which nothing is known but what this step finds wrong."""
    return Outline({step: facts}, "", None, (), ())


def _as_outline(document: dict[str, Any]) -> Outline:
    base, lines = document["base"], document["lines"]
    methods = {} if DECIDE in lines else manifest().methods.get(base, {})
    names = sorted({DECIDE, *manifest().methods.get(base, {}).values()} - set(lines))
    problems = document["problems"]
    for facts in problems.values():
        _name_nearest(facts["values"], names)
    return Outline(
        problems,
        document["name"],
        document["line"],
        tuple(document["games"]),
        tuple(document["imports"]),
        dict(methods),
        lines,
        tuple(_misspelt(document["uncalled"], names, base)),
    )


def _name_nearest(values: dict[str, Any], names: Sequence[str]) -> None:
    """Put the method that may be meant in place of all that nobody calls."""
    for near, method, line in _nearest(values.pop("uncalled", ()), names):
        values |= {"near": near, "method": method, "method_line": line}
        return


def _misspelt(
    uncalled: Sequence[Mapping[str, Any]], names: Sequence[str], base: str | None
) -> Iterator[Finding]:
    """Yield a warning for each method that is probably meant to be one for a decision."""
    for near, method, line in _nearest(uncalled, names):
        values: dict[str, Value] = {"method": method, "line": line, "near": near, "base": base}
        yield Finding("E108", values, line)


def _nearest(
    uncalled: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> Iterator[tuple[str, str, int]]:
    for method in uncalled:
        for near in get_close_matches(method["name"], names, 1, LIKENESS):
            yield near, method["name"], method["line"]

"""What can be told of a bot without running it, and how the reader's answer becomes that value."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any

from engine.registry import GAMES
from runners.box.manifest import manifest
from runners.box.policy import USELESS_MODULES
from runners.codes import Value
from runners.plugins.kit import HOUSE
from runners.upload.finding import Finding
from runners.upload.outline import outline
from runners.upload.steps import READING_STEPS, StepName

LIKENESS = 0.75
"""How alike two names are, from 0 to 1, if one is probably the other misspelt."""
DECIDE = "decide"
"""The method that every bot has."""
PLAIN_BASE = "Bot"
"""The class that has no other method for a decision."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be told of a bot: its class, or what is wrong with it, by the step that says so."""

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
    file: str | None = None
    """The file of the class, and of these lines, if it is a bundle."""
    modules: tuple[str, ...] = ()
    """All Python files of a bundle, as tracebacks name them."""

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


def terms_for(*texts: str) -> dict[str, Any]:
    """Return what a reader of these texts has to know; of house bots only if one may be named."""
    return _terms(with_house=any(HOUSE in text for text in texts))


def empty_outline(step: StepName, facts: Mapping[str, Any]) -> Outline:
    """Return the outline of a bot of which nothing is known but what this step finds wrong."""
    return Outline({step: facts}, "", None, (), ())


def as_outline(document: dict[str, Any], modules: Sequence[str] = ()) -> Outline:
    """Return what a reader found out, with the names of methods that may be meant."""
    base, lines, file = document["base"], document["lines"], document["file"]
    methods = {} if DECIDE in lines else manifest().methods.get(base, {})
    names = sorted({DECIDE, *manifest().methods.get(base, {}).values()} - set(lines))
    problems = document["problems"]
    for facts in problems.values():
        _name_nearest(facts["values"], names)
    notices = [Finding(**facts) for facts in document["notices"]]
    return Outline(
        problems,
        document["name"],
        document["line"],
        tuple(document["games"]),
        tuple(document["imports"]),
        dict(methods),
        lines,
        (*_misspelt(document["uncalled"], names, base, file), *notices),
        file,
        tuple(modules),
    )


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


def _name_nearest(values: dict[str, Any], names: Sequence[str]) -> None:
    """Put the method that may be meant in place of all that nobody calls."""
    for near, method, line in _nearest(values.pop("uncalled", ()), names):
        values |= {"near": near, "method": method, "method_line": line}
        return


def _misspelt(
    uncalled: Sequence[Mapping[str, Any]], names: Sequence[str], base: str | None, file: str | None
) -> Iterator[Finding]:
    """Yield a warning for each method that is probably meant to be one for a decision."""
    for near, method, line in _nearest(uncalled, names):
        values: dict[str, Value] = {"method": method, "line": line, "near": near, "base": base}
        if file:
            values["file"] = file
        yield Finding("E108", values, line, file=file)


def _nearest(
    uncalled: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> Iterator[tuple[str, str, int]]:
    for method in uncalled:
        for near in get_close_matches(method["name"], names, 1, LIKENESS):
            yield near, method["name"], method["line"]

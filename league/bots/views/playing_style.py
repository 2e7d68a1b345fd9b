"""How a version plays, as people read it. Pure: what was counted becomes words and shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from league.matches.statistics.style import TIMES_MS

_FATES = (
    ("alone", "alone"),
    ("turns", "in turn"),
    ("won", "barter won"),
    ("sold", "sold"),
    ("cancelled", "cancelled"),
    ("nobody", "nobody got it"),
)
_ACTIONS = ("money", "points", "event", "workers", "gems", "free")


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole."""

    name: str
    share: float


@dataclass(frozen=True, slots=True)
class Habits:
    """What a version does, over its matches."""

    matches: int
    chosen: list[Share]
    """The actions it chooses."""
    fates: list[Share]
    """What becomes of them."""
    facts: list[tuple[str, str]]
    """The rest, each with a name and a value."""


def habits(matches: int, counts: Mapping[str, int]) -> Habits:
    """What was counted over some matches, in words."""
    chosen = _shares([(action, counts.get(f"chosen {action}", 0)) for action in _ACTIONS])
    fates = _shares([(name, counts.get(f"fate {fate}", 0)) for fate, name in _FATES])
    facts = [*_prices(counts), *_exchanges(matches, counts), *_thinking(counts)]
    return Habits(matches, chosen, fates, facts)


def _shares(counted: list[tuple[str, int]]) -> list[Share]:
    whole = sum(count for _, count in counted)
    return [Share(name, count / whole) for name, count in counted if count]


def _prices(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    facts = []
    if bought := counts.get("bought"):
        facts.append(("Average price paid", _gems(counts.get("paid", 0) / bought)))
    if sold := counts.get("sold"):
        facts.append(("Average price got", _gems(counts.get("earned", 0) / sold)))
    return facts


def _gems(mean: float) -> str:
    return f"{mean:.1f} gems"


def _exchanges(matches: int, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    turns, draws = counts.get("turns"), counts.get("draws")
    if not turns or not draws or not matches:
        return []
    facts = [
        ("Turns in a match", f"{turns / matches:.0f}"),
        ("Draws a card it knows", f"{counts.get('draws known', 0) / draws:.0%}"),
        ("Shows the card it drew", f"{counts.get('shown', 0) / draws:.0%}"),
    ]
    if unique := counts.get("unique"):
        turn = counts.get("unique turn", 0) / unique
        told = f"in {unique / matches:.0%} of matches, in turn {turn:.0f} on average"
        facts.append(("Unique move", told))
    return facts


def _thinking(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """The upper end of the class in which half, or all but one in a hundred, decisions lie."""
    times = [counts.get(f"ms {number}", 0) for number in range(len(TIMES_MS))]
    if not any(times):
        return []
    return [
        ("Median thinking time", _until(times, 0.5)),
        ("99 of 100 decisions within", _until(times, 0.99)),
    ]


def _until(times: list[int], share: float) -> str:
    reached = accumulate(times)
    wanted = share * sum(times)
    ms = next(ms for ms, seen in zip(TIMES_MS, reached, strict=True) if seen >= wanted)
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"

"""Parts of sentences that games share. A seat appears as `{0}`, for the reader to fill in."""

from collections.abc import Iterable

from engine.record.types import Ending
from engine.seats import Seat


def joined(parts: Iterable[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def ordinal(number: int) -> str:
    """Return a place as people read it: `1st`, `2nd`, `11th`."""
    suffixes = {1: "st", 2: "nd", 3: "rd"}
    suffix = "th" if number % 100 in (11, 12, 13) else suffixes.get(number % 10, "th")
    return f"{number}{suffix}"


def name(seat: Seat) -> str:
    """Return the place where a seat's name goes."""
    return f"{{{seat}}}"


def names(seats: Iterable[Seat]) -> str:
    """Return `{0} and {2}`."""
    return joined(map(name, seats))


def winners(step: Ending) -> list[Seat]:
    """Return who is first at the end and did not forfeit; nobody if all did."""
    forfeits = step.get("forfeits", ())
    return [s for s, place in enumerate(step["placements"]) if place == 1 and s not in forfeits]


def ranking(step: Ending, unit: str) -> str:
    """Return the final order with the scores."""
    order = sorted(range(len(step["placements"])), key=lambda seat: step["placements"][seat])
    scores, first, forfeits = step["scores"], winners(step), step.get("forfeits", ())
    if not first:
        all_scores = joined(f"{name(s)} has {scores[s]}" for s in order)
        return f"All seats forfeited, so nobody wins: {all_scores} {unit}."
    rest = [f"{name(s)} has {scores[s]}" for s in order if s not in (*first, *forfeits)]
    rest += [f"{name(s)} forfeited with {scores[s]}" for s in order if s in forfeits]
    verb = "wins" if len(first) == 1 else "share the first place"
    behind = f"; {joined(rest)}" if rest else ""
    return f"{names(first)} {verb} with {scores[first[0]]} {unit}{behind}."

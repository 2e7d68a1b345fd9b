"""Rating receipts: what a match did to every rating, and why, in a sentence each.

Pure arithmetic and words over lines of the ledger.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bots_sdk.rating.skill import Rating
from league.ladder.models import RatingChange
from league.matches.models import Seat
from league.pages.templatetags.karat import place

NEAR = 0.25
"""A place this close to the expected one counts as expected."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one seat paid or got."""

    seat: Seat
    before: Rating
    after: Rating
    expected: float
    why: str
    sureness: str
    opponents: list[tuple[Seat, Rating]]

    @property
    def change(self) -> float:
        """Return the change on the scale that people see."""
        return self.after.shown - self.before.shown


def receipts(seats: Sequence[Seat], lines: Sequence[RatingChange]) -> list[Receipt]:
    """Return one receipt for each seat, in order; none if the match was not rated (yet)."""
    if len(lines) != len(seats):
        return []
    by_seat = {line.seat: line for line in lines}
    before = [
        (seat, Rating(by_seat[seat.number].mu_before, by_seat[seat.number].sigma_before))
        for seat in seats
    ]
    return [
        _receipt(seat, strength, by_seat[seat.number], [one for one in before if one[0] != seat])
        for seat, strength in before
    ]


def _receipt(
    seat: Seat, before: Rating, line: RatingChange, opponents: list[tuple[Seat, Rating]]
) -> Receipt:
    after = Rating(line.mu, line.sigma)
    return Receipt(
        seat,
        before,
        after,
        line.expected,
        _why(seat.place or 1, line.expected, before, after),
        _sureness(before, after),
        opponents,
    )


def _why(actual: int, expected: float, before: Rating, after: Rating) -> str:
    if actual < expected - NEAR:
        judgement = "better than expected"
    elif actual > expected + NEAR:
        judgement = "worse than expected"
    else:
        judgement = "as expected"
    points = round(after.shown) - round(before.shown)
    change = "stays" if not points else f"{'rises' if points > 0 else 'falls'} by {abs(points)}"
    return f"It finished {place(actual)}, {judgement}, so the rating {change}."


def _sureness(before: Rating, after: Rating) -> str:
    was, now = round(before.margin), round(after.margin)
    if now < was:
        return f"We are surer of it than before: ±{was} becomes ±{now}."
    if now > was:
        return f"We are less sure of it than before: ±{was} becomes ±{now}."
    return f"We are as sure of it as before: ±{now}."

"""What is known of the chances in a match: plain values that can be stored as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from engine.game import Seat

CHANCES_VERSION = 2
"""Raised whenever the same record would get other numbers."""
PER_MILLE = 1000


class Row(NamedTuple):
    """The position after a step: the chance of each seat to win, together 1000 per mille."""

    step: int
    chances: list[int]


class TurningPoint(NamedTuple):
    """Where the chances changed most: between two rows, told by the step that says it best."""

    step: int
    first: int
    """The row before it is that of this step,"""
    last: int
    """and the row after it that of this one."""
    winner: Seat
    """Whose chance rose most,"""
    loser: Seat
    """and whose fell most."""
    size: int
    """How much of all chances changed hands, per mille."""
    seat: Seat
    """Of whom it is told: who forfeited, or else whose chance changed most."""
    forfeited: bool = False
    """Whether that seat forfeited in between."""


@dataclass(frozen=True, slots=True)
class Chances:
    """An estimate of who wins, for some positions of a match."""

    version: int = CHANCES_VERSION
    policy: str = ""
    """What played on from there."""
    playouts: int = 0
    """How many games were played from each position; with 0, nothing is known."""
    rows: list[Row] = field(default_factory=list)
    """In the order of their steps."""
    decided: bool = True
    """Whether the last row is the outcome, and sure. If everybody forfeited, nobody won, and the
    rows end before the last of them did."""
    turning_points: list[TurningPoint] = field(default_factory=list)
    """The largest swings beyond the error, in the order of their steps."""
    swing: float = 0.0
    """How much happened: the sum of all swings beyond the error, but for those with a forfeit."""

    @property
    def estimates(self) -> list[Row]:
        """Return the rows without the outcome."""
        return self.rows[:-1] if self.decided else self.rows

    @property
    def error(self) -> int:
        """The standard error of a chance of one half, per mille; others have a smaller one."""
        return round(PER_MILLE * standard_error(PER_MILLE // 2, self.playouts))

    def in_words(self, step: int, seat: Seat) -> str:
        """Return the chance of a seat in the row of a step: `43 %`.

        No win in so many playouts does not make it impossible; only the outcome is sure.
        """
        chance = next(row.chances for row in self.rows if row.step == step)[seat]
        is_outcome = self.decided and step == self.rows[-1].step
        if not is_outcome and chance in (0, PER_MILLE):
            least = -(-100 // self.playouts)
            return f"over {100 - least} %" if chance else f"under {least} %"
        return f"{(chance + 5) // 10} %"

    def as_data(self) -> dict[str, Any]:
        """Return it as values of JSON."""
        return {**asdict(self), "error": self.error} if self.rows else asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Chances":
        """Return what `as_data` made."""
        values = {name: value for name, value in data.items() if name != "error"}
        values["rows"] = [Row(*row) for row in data["rows"]]
        values["turning_points"] = [TurningPoint(*point) for point in data["turning_points"]]
        return cls(**values)


NO_CHANCES = Chances()
"""Of a match that cannot be played on here."""


def standard_error(chance: int, playouts: int) -> float:
    """Return the standard error of a chance, per mille, that was counted in so many playouts.

    It is that of a chance with a win and a defeat more: no win in twenty playouts is no proof that
    there is none in a thousand.
    """
    if not playouts:
        return 0.0
    share = _smoothed(chance, playouts)
    return sqrt(share * (1 - share) / playouts)


def error_of_lead(best: int, second: int, playouts: int) -> float:
    """Return the standard error of the distance between two chances of the same row."""
    if not playouts:
        return 0.0
    a, b = _smoothed(best, playouts), _smoothed(second, playouts)
    return sqrt((a + b - (a - b) ** 2) / playouts)


def _smoothed(chance: int, playouts: int) -> float:
    """Return a chance, per mille, as a share with a win and a defeat more."""
    return (chance / PER_MILLE * playouts + 1) / (playouts + 2)


def in_per_mille(shares: list[int]) -> list[int]:
    """Return shares of their sum as whole numbers of 1000 in all; the largest rests are rounded up.

    Of equal rests the first seat's comes first, so that the same shares are rounded alike.
    """
    total = sum(shares)
    parts = [divmod(PER_MILLE * share, total) for share in shares]
    missing = PER_MILLE - sum(whole for whole, _ in parts)
    by_rest = sorted(range(len(parts)), key=lambda seat: (-parts[seat][1], seat))
    return [whole + (seat in by_rest[:missing]) for seat, (whole, _) in enumerate(parts)]

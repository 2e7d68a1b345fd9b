"""What turned a match: the largest changes of the chances that are more than chance."""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from bots_sdk.chances.values import PER_MILLE, Row, TurningPoint, standard_error
from engine.facets.presentation import Presentation, Series
from engine.game import Seat
from engine.record.types import AnyRecord

MAX_TURNING_POINTS = 5
BEYOND_ERROR = 2.0
"""A change counts if a seat's chance changed by more than so many standard errors of it."""


def turning_points(
    rows: Sequence[Row], playouts: int, record: AnyRecord, presentation: Presentation
) -> tuple[list[TurningPoint], float]:
    """Return the largest swings, and the sum of all that are beyond the error."""
    swings = [
        _swing(before, after)
        for before, after in pairwise(rows)
        if _is_beyond_error(before, after, playouts, after is rows[-1])
    ]
    largest = sorted(swings, key=lambda swing: (-swing.size, swing.first))[:MAX_TURNING_POINTS]
    told = _Telling(record, presentation)
    turning = [swing._replace(step=told.step_of(swing)) for swing in largest]
    return sorted(turning), sum(swing.size for swing in swings) / PER_MILLE


def _is_beyond_error(before: Row, after: Row, playouts: int, is_outcome: bool) -> bool:
    """Return whether a seat's chance changed by more than playouts alone would make it."""
    return any(
        abs(now - then)
        > BEYOND_ERROR
        * PER_MILLE
        * hypot(
            standard_error(then, playouts), 0.0 if is_outcome else standard_error(now, playouts)
        )
        for then, now in zip(before.chances, after.chances, strict=True)
    )


def _swing(before: Row, after: Row) -> TurningPoint:
    changes = [now - then for then, now in zip(before.chances, after.chances, strict=True)]
    return TurningPoint(
        after.step,
        before.step,
        after.step,
        changes.index(max(changes)),
        changes.index(min(changes)),
        sum(map(abs, changes)) // 2,
    )


class _Telling:
    """Finds the step whose sentence says best what happened between two rows."""

    def __init__(self, record: AnyRecord, presentation: Presentation) -> None:
        self.steps = record["steps"]
        self.presentation = presentation
        self.scores: Series = presentation.scores(record)

    def step_of(self, swing: TurningPoint) -> int:
        """Return the step to be quoted, never the end of the match: that only says how it ended.

        First of all a scoring by which the winner of the swing gained; then what it did itself;
        then what is shown for longest.
        """
        between = range(swing.first + 1, swing.last + 1)
        inner = [i for i in between if self.steps[i]["t"] != "end"]
        return max(inner or between, key=lambda i: self._weight(i, swing))

    def _weight(self, i: int, swing: TurningPoint) -> tuple[int, bool, int, int]:
        step = self.steps[i]
        gain = 0
        if self.presentation.is_scoring(step):
            gain = max(0, self._gain(i, swing.winner) - self._gain(i, swing.loser))
        is_own = step.get("seat") == swing.winner
        return gain, is_own, self.presentation.duration_ms(step), i

    def _gain(self, i: int, seat: Seat) -> int:
        now, then = self.scores[i], self.scores[i - 1]
        return now[seat] - then[seat] if now else 0

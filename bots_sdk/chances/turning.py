"""What turned a match: the largest changes of the chances that are more than chance.

Between neighbouring positions little happens, and the error is large. So a slow change counts as
well, over a few positions, where no quick one is sure.
"""

from collections.abc import Sequence
from math import hypot

from bots_sdk.chances.values import PER_MILLE, Row, TurningPoint, standard_error
from engine.facets.presentation import Presentation
from engine.game import Seat
from engine.record.ending import forfeiting_faults
from engine.record.types import AnyRecord, AnyStep

MAX_TURNING_POINTS = 5
MAX_DISTANCE = 3
"""Of the two rows of a swing, in rows."""
BEYOND_ERROR = 3.5
"""A change counts if a seat's chance changed by more than so many standard errors of it.

That many, because some two hundred changes of a match are looked at. Where chances never change,
at most one match in five has a turning point.
"""


def turning_points(
    rows: Sequence[Row], playouts: int, record: AnyRecord, presentation: Presentation
) -> tuple[list[TurningPoint], float]:
    """Return the largest swings, and the sum of all that are beyond the error.

    A forfeit turns a match, but it is nothing to watch: it does not count for the sum.
    """
    swings = _Swings(rows, playouts, record).all()
    largest = sorted(swings, key=lambda swing: (-swing.size, swing.first))[:MAX_TURNING_POINTS]
    telling = _Telling(record, presentation)
    turning = [swing._replace(step=telling.step_of(swing)) for swing in largest]
    return sorted(turning), sum(one.size for one in swings if not one.forfeited) / PER_MILLE


class _Swings:
    """The changes between rows that are beyond the error."""

    def __init__(self, rows: Sequence[Row], playouts: int, record: AnyRecord) -> None:
        self.rows = rows
        self.forfeits = {
            seat: fault["step"] or 0 for seat, fault in forfeiting_faults(record["faults"]).items()
        }
        outcome = len(record["steps"]) - 1
        self.errors = [
            [
                0.0 if row.step == outcome else PER_MILLE * standard_error(chance, playouts)
                for chance in row.chances
            ]
            for row in rows
        ]

    def all(self) -> list[TurningPoint]:
        """Return swings that do not overlap: first the quick ones, of each kind the largest."""
        chosen: list[TurningPoint] = []
        for distance in range(1, MAX_DISTANCE + 1):
            starts = range(len(self.rows) - distance)
            swings = [
                self._swing(start, start + distance)
                for start in starts
                if self._counts(start, start + distance)
            ]
            for swing in sorted(swings, key=lambda swing: (-swing.size, swing.first)):
                if all(swing.last <= one.first or one.last <= swing.first for one in chosen):
                    chosen.append(swing)
        return chosen

    def _counts(self, start: int, end: int) -> bool:
        """Return whether a seat's chance changed by more than playouts alone would make it."""
        if end - start > 1 and self._forfeiting(start, end):
            return False  # What came before a forfeit has nothing to do with it.
        errors = zip(self.errors[start], self.errors[end], strict=True)
        return any(
            abs(change) > BEYOND_ERROR * hypot(*both)
            for change, both in zip(self._changes(start, end), errors, strict=True)
        )

    def _changes(self, start: int, end: int) -> list[int]:
        pairs = zip(self.rows[start].chances, self.rows[end].chances, strict=True)
        return [now - then for then, now in pairs]

    def _forfeiting(self, start: int, end: int) -> set[Seat]:
        """Return who forfeited between two rows."""
        first, last = self.rows[start].step, self.rows[end].step
        return {seat for seat, step in self.forfeits.items() if first < step <= last}

    def _swing(self, start: int, end: int) -> TurningPoint:
        changes = self._changes(start, end)
        loser = changes.index(min(changes))
        forfeited = loser in self._forfeiting(start, end)
        most = max(range(len(changes)), key=lambda seat: (abs(changes[seat]), changes[seat]))
        last = self.rows[end].step
        return TurningPoint(
            step=self.forfeits[loser] if forfeited else last,
            first=self.rows[start].step,
            last=last,
            winner=changes.index(max(changes)),
            loser=loser,
            size=sum(map(abs, changes)) // 2,
            seat=loser if forfeited else most,
            forfeited=forfeited,
        )


class _Telling:
    """Finds the step whose sentence says best what happened between two rows."""

    def __init__(self, record: AnyRecord, presentation: Presentation) -> None:
        self.steps = record["steps"]
        self.presentation = presentation

    def step_of(self, swing: TurningPoint) -> int:
        """Return the step to be quoted: the forfeit, or else a decision.

        What is paid in a scoring, or how the match ended, only follows from it. A decision of the
        seat of which is told comes first, then what is shown for longest.
        """
        if swing.forfeited:
            return swing.step
        between = range(swing.first + 1, swing.last + 1)
        return max(between, key=lambda i: self._weight(self.steps[i], swing.seat))

    def _weight(self, step: AnyStep, seat: Seat) -> tuple[bool, bool, bool, int, int]:
        is_decision = _is_free(step)
        is_own = is_decision and step.get("seat") == seat
        shown_ms = self.presentation.duration_ms(step)
        return is_own, is_decision, step["t"] != "end", shown_ms, step["i"]


def _is_free(step: AnyStep) -> bool:
    """Return whether a seat had a choice in a step."""
    forced = step.get("forced", True)
    return not all(forced) if isinstance(forced, list) else not forced

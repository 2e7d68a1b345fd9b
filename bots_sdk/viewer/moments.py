"""What one jumps to in a match: its marks, the short version, and how long everything takes.

What only a game knows (its chapters, its own marks, its scenes) comes from its presentation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots_sdk.chances.values import NO_CHANCES, Chances
from engine.facets.presentation import Mark, MarkKind, Presentation, Steps
from engine.game import Seat, seat_letter
from engine.record.recorder import Record
from engine.record.types import AnyStep

MAX_REPLAY_MS = 175_000
"""A longer match is sped up as a whole, so that it can be watched at one sitting."""
HIGHLIGHTS_MS = 39_000
MAX_FAULTS = 5
"""So many faults come into the short version."""
MISSED_WIN = "missed-win"
"""The kind of a remark that also gets a mark."""
_FIRST_KINDS = {
    "scoring": MarkKind("scoring", "M0-7 2-2H7L3 1l1 6-4-4-4 4 1-6-4-3h5Z"),
    "fault": MarkKind("fault", "M-2-7h4l-1 8h-2ZM-2 3h4v4h-4Z", below=True),
    "turn": MarkKind("turning point", "M-8 0-2-6v4h4v-4L8 0 2 6v-4h-4v4Z", below=True),
    "lead": MarkKind("lead change", "M0-6 6 5h-12Z", below=True),
}
_LAST_KINDS = {
    "missed": MarkKind(
        "missed win", "M-6-4-4-6 0-2 4-6 6-4 2 0 6 4 4 6 0 2-4 6-6 4-2 0Z", below=True
    ),
    "end": MarkKind("the end", "M-2-7h4V7h-4Z"),
}


def mark_kinds(presentation: Presentation) -> dict[str, MarkKind]:
    """Return all kinds of marks in the order of a legend."""
    own = presentation.mark_kinds
    on_line = {kind: one for kind, one in own.items() if not one.below}
    below = {kind: one for kind, one in own.items() if one.below}
    return on_line | _FIRST_KINDS | below | _LAST_KINDS


def faults_of(step: AnyStep) -> list[tuple[Seat, str]]:
    """Return who failed in this step, and how."""
    codes = step.get("fault")
    if isinstance(codes, list):
        return [(seat, code) for seat, code in enumerate(codes) if code]
    return [(step["seat"], codes)] if codes else []


def marks(
    record: Record,
    remarks: Sequence[Mapping[str, Any]],
    presentation: Presentation,
    scores: Sequence[Sequence[int]],
) -> list[Mark]:
    """Return the game's own marks, scorings, faults, lead changes, missed wins and the end."""
    steps = record["steps"]
    return sorted(
        [
            *presentation.marks(steps),
            *_scoring_starts(steps, presentation),
            *_faults(record),
            *_lead_changes(scores),
            *(Mark(r["i"], "missed", "Missed win") for r in remarks if r["kind"] == MISSED_WIN),
            *(Mark(step["i"], "end", "The end") for step in steps if step["t"] == "end"),
        ]
    )


def _scoring_starts(steps: Steps, presentation: Presentation) -> Iterator[Mark]:
    was_scoring = False
    for step in steps:
        is_scoring = presentation.is_scoring(step)
        if is_scoring and not was_scoring:
            yield Mark(step["i"], "scoring", "Scoring")
        was_scoring = is_scoring


def _faults(record: Record) -> Iterator[Mark]:
    for fault in record["faults"]:
        if fault["step"] is not None:
            text = f"Fault {fault['code']} of {seat_letter(fault['seat'])}"
            yield Mark(fault["step"], "fault", text)


def _lead_changes(scores: Sequence[Sequence[int]]) -> Iterator[Mark]:
    leader: Seat | None = None
    for i, row in enumerate(scores):
        best = max(row, default=0)
        if row.count(best) == 1 and row.index(best) != leader:
            if leader is not None:
                yield Mark(i, "lead", f"{seat_letter(row.index(best))} takes the lead")
            leader = row.index(best)


def times_ms(steps: Steps, presentation: Presentation) -> list[int]:
    """Return for how long each step is shown at speed 1."""
    durations = [presentation.duration_ms(step) for step in steps]
    factor = min(1.0, MAX_REPLAY_MS / sum(durations))
    return [int(ms * factor) for ms in durations]


def first_scene(steps: Steps, presentation: Presentation) -> int:
    """Return where the most interesting scene has just begun; 0 if the game has none."""
    scenes = presentation.scenes(steps)
    if scenes:
        return max(scenes, key=lambda scene: scene.weight).first + 1
    jumps = [mark.i for mark in presentation.marks(steps) if mark.kind == presentation.jump_kind]
    return jumps[0] + 1 if jumps else 0


@dataclass(slots=True)
class _Selection:
    """Steps of the short version, as long as there is time left."""

    durations_ms: list[int]
    steps: set[int]
    left_ms: int = HIGHLIGHTS_MS

    def take(self, *steps: int) -> None:
        """Add all of these steps, or none if they take too long."""
        fresh = set(steps) - self.steps
        cost = sum(self.durations_ms[i] for i in fresh)
        if cost <= self.left_ms:
            self.left_ms -= cost
            self.steps |= fresh


def highlights(
    steps: Steps,
    marks: Sequence[Mark],
    presentation: Presentation,
    chances: Chances = NO_CHANCES,
) -> list[int]:
    """Return the short version: what matters most comes in first, until 40 seconds are full."""
    selection = _Selection([presentation.duration_ms(step) for step in steps], set())
    selection.take(0, len(steps) - 1)
    for i in _ranked_steps(steps, marks, presentation):
        selection.take(i)
    for point in sorted(chances.turning_points, key=lambda point: -point.size):
        selection.take(*range(point.first + 1, point.last + 1))
    for scene in sorted(presentation.scenes(steps), key=lambda scene: -scene.weight):
        selection.take(*range(scene.first, scene.last + 1))
    own = presentation.mark_kinds.keys() - {presentation.jump_kind}
    for i in _steps_of(marks, *own) + _steps_of(marks, "lead")[::-1]:
        selection.take(i)
    if rounds := presentation.rounds(steps):
        selection.take(*range(rounds[-1].i, len(steps)))
    return sorted(selection.steps)


def _ranked_steps(steps: Steps, marks: Sequence[Mark], presentation: Presentation) -> Iterator[int]:
    """Yield the single steps that come before all scenes."""
    yield from _steps_of(marks, "fault")[:MAX_FAULTS]
    yield from (chapter.i for chapter in presentation.chapters(steps))
    yield from (step["i"] for step in steps if presentation.is_scoring(step))
    yield from _steps_of(marks, "turn")
    yield from _steps_of(marks, "missed")


def _steps_of(marks: Sequence[Mark], *kinds: str) -> list[int]:
    return [mark.i for mark in marks if mark.kind in kinds]

"""The writer of records: one plain JSON document for a match, which explains and proves itself.

The recorder listens while a game is played and writes a step for everything it hears of.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, cast

from engine.game import Game, Outcome, Seat, View
from engine.record import types
from engine.record.ending import final
from engine.record.patch import diff
from engine.record.types import (
    AnyRecord,
    Document,
    FaultEntry,
    Json,
    OutcomeEntry,
    SeatEntry,
    Step,
)

SCHEMA = 1
Record = Document

UNPROVEN = frozenset({"ms", "text", "note"})
"""Fields of a step that a re-run cannot reproduce; the digest leaves them out."""


class Answer(NamedTuple):
    """What the referee knows of a move besides the move itself."""

    ms: float = 0.0
    fault: str | None = None
    note: str | None = None


UNASKED = Answer()


class Recorder:
    """Writes the steps of one match. Tell it the answers before the moves are played."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.steps: list[Step] = []
        self.faults: list[FaultEntry] = []
        self.answers: dict[Seat, Answer] = {}
        self._pending: dict[Seat, tuple[str, str]] = {}
        self._view: View = {}

    def __call__(self, t: str, state: object, fields: dict[str, Json]) -> None:
        """Listen to a step of the game."""
        view = self.game.view(state)
        step = cast("Step", {"i": len(self.steps), "t": t, **fields})
        if "moves" in fields:
            self._sign_all(step)
        elif "move" in fields:
            self._sign(step)
        if self.steps:
            step["set"] = diff(self._view, view)
        else:
            step["view"] = view
        step["text"] = self.game.narrate(step, view)
        self._view = view
        self.steps.append(step)

    def finish(self, outcome: OutcomeEntry) -> None:
        """Write the last step by the final outcome: the game itself knows no forfeits."""
        end = self.steps[-1]
        end["placements"] = list(outcome["placements"])
        end["text"] = self.game.narrate({**end, "forfeits": outcome["forfeits"]}, self._view)

    def note_fault(self, seat: Seat, code: str, detail: str, loading: bool = False) -> None:
        """Note that a seat misbehaved: while loading, or in the decision that is played next."""
        if loading:
            self.faults.append({"step": None, "seat": seat, "code": code, "detail": detail})
        else:
            self._pending[seat] = code, detail

    def _sign(self, step: Step) -> None:
        answer = UNASKED if step["forced"] else self._take(step["seat"], step["i"])
        step["ms"] = answer.ms
        if answer.fault:
            step["fault"] = answer.fault
        if answer.note:
            step["note"] = answer.note

    def _sign_all(self, step: Step) -> None:
        answers = [self._take(seat, step["i"]) for seat in range(len(step["moves"]))]
        step["ms"] = [answer.ms for answer in answers]
        step["fault"] = [answer.fault for answer in answers]
        if any(answer.note for answer in answers):
            step["note"] = [answer.note for answer in answers]

    def _take(self, seat: Seat, i: int) -> Answer:
        if seat in self._pending:
            code, detail = self._pending.pop(seat)
            self.faults.append({"step": i, "seat": seat, "code": code, "detail": detail})
        return self.answers.pop(seat, UNASKED)


def write(
    recorder: Recorder,
    *,
    options: Mapping[str, Json],
    seed: str,
    seats: Sequence[Mapping[str, Json]],
    outcome: Outcome,
    forfeits: Iterable[Seat] = (),
    limits: Mapping[str, Json] | None = None,
) -> Document:
    """Return the whole record of a finished match."""
    result = final(outcome, sorted(forfeits))
    recorder.finish(result)
    record: types.Record = {
        "schema": SCHEMA,
        "game": recorder.game.slug,
        "rules": recorder.game.rules,
        "options": dict(options),
        "seed": seed,
        "seats": [cast("SeatEntry", dict(seat)) for seat in seats],
        "limits": dict(limits) if limits is not None else None,
        "steps": recorder.steps,
        "outcome": result,
        "faults": recorder.faults,
    }
    record["digest"] = digest(record)
    return cast("Document", record)


def digest(record: AnyRecord) -> str:
    """Return the fingerprint of everything in a record that a re-run reproduces."""
    proven = {
        key: record[key]
        for key in ("game", "rules", "options", "seed", "seats", "outcome", "faults")
    }
    proven["steps"] = [
        {key: value for key, value in step.items() if key not in UNPROVEN}
        for step in record["steps"]
    ]
    return "sha256:" + sha256(canonical(proven)).hexdigest()


def canonical(value: Json) -> bytes:
    """Return JSON with sorted keys and no spaces: the same bytes for the same value."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()

"""Compact records: only what the engine cannot know (moves, times, faults, notes), and no steps.

Pure. A compact record is played again to get the whole one, which is equal to the original;
`compact` makes sure of that before anything is dropped. It only works while the rules are the same.
"""

from typing import Any

from engine.game import BadSetup, IllegalMove
from engine.record.reading import RecordError
from engine.record.recorder import Answer, Record, Recorder, digest
from engine.record.rerun import game_of
from engine.rng import Rng

FORM = "compact"
"""The field that only compact records have: the version of their format."""


class NotCompact(Exception):
    """The record would not be the same when played again, so it stays whole."""


def is_compact(record: Record) -> bool:
    """Return whether the steps have to be played again."""
    return FORM in record


def compact(record: Record) -> Record:
    """Return the compact form of a record."""
    small: Record = {FORM: 1} | {key: value for key, value in record.items() if key != "steps"}
    small["decisions"] = [_decision(step) for step in record["steps"] if _asked(step)]
    try:
        again = expand(small)
    except (RecordError, BadSetup, IllegalMove) as error:
        raise NotCompact(str(error)) from None
    if again != record or digest(again) != record["digest"]:
        raise NotCompact("the re-run differs")
    return small


def expand(small: Record) -> Record:
    """Return the whole record of a compact one."""
    game = game_of(small)
    recorder = Recorder(game)
    rng = Rng(small["seed"])
    state = game.start(len(small["seats"]), small["options"], rng, recorder)
    for moves, answers in small["decisions"]:
        seats = game.to_move(state)
        recorder.answers = {
            int(seat): Answer(*answer) for seat, answer in zip(seats, answers, strict=True)
        }
        game.play(state, moves, rng, recorder)
    if small["rules"] == game.rules:
        recorder.finish(small["outcome"])
    whole = {key: value for key, value in small.items() if key not in {FORM, "decisions"}}
    return _in_order(whole | {"steps": recorder.steps})


def _asked(step: dict[str, Any]) -> bool:
    """Return whether a seat had a choice here; the engine makes all other decisions itself."""
    return "moves" in step or ("move" in step and step["forced"] is False)


def _decision(step: dict[str, Any]) -> list[Any]:
    """Return the moves, and for each what the referee knew of it: time, fault, note."""
    if "moves" not in step:
        return [[step["move"]], [[step["ms"], step.get("fault"), step.get("note")]]]
    notes = step.get("note") or [None] * len(step["moves"])
    return [
        step["moves"],
        [list(one) for one in zip(step["ms"], step["fault"], notes, strict=True)],
    ]


def _in_order(record: Record) -> Record:
    """Return the fields in the order of a recorder, so that the text is the same."""
    fields = ["schema", "game", "rules", "options", "seed", "seats", "limits", "steps"]
    first = {key: record[key] for key in fields}
    return first | record

"""A recorded match played again, for those who want to look at its positions."""

from collections.abc import Callable, Sequence

from engine.game import BadSetup, Game, IllegalMove
from engine.record.reading import RecordError
from engine.record.types import AnyRecord, AnyStep, Json
from engine.registry import find
from engine.rng import Rng

Look = Callable[[AnyStep, object], None]
"""Called with each step of the record and the position after it."""


def game_of(record: AnyRecord) -> Game:
    """Return the game of a record; `RecordError` if its rules lead to other steps by now."""
    try:
        game = find(record["game"])
    except BadSetup as error:
        raise RecordError("game", str(error)) from None
    if record["rules"] not in (game.rules, *game.former_rules):
        raise RecordError(
            "rules", f"the match was played by version {record['rules']}, this is {game.rules}"
        )
    return game


def _look_away(step: AnyStep, position: object) -> None:
    """Look at nothing."""


def rerun(record: AnyRecord, look: Look = _look_away, pause: Look = _look_away) -> None:
    """Let `look` see the position after each step; `RecordError` where the record is not true.

    `pause` sees the position whenever seats have a choice, with the step that led to it: only
    then can it be played on from. Both may keep clones, and must change nothing.

    It trusts what it can check while passing by: kinds of steps and moves. A proof that every
    field is true is the work of `engine.record.verify`.
    """
    game = game_of(record)
    steps: Sequence[AnyStep] = record["steps"]
    at = 0

    def listen(t: str, state: object, _: dict[str, Json]) -> None:
        nonlocal at
        if at == len(steps) or steps[at]["t"] != t:
            raise RecordError(f"steps[{at}]", f"the re-run has a step {t!r} here")
        look(steps[at], state)
        at += 1

    rng = Rng(record["seed"])
    try:
        state = game.start(len(record["seats"]), record["options"], rng, listen)
        while game.to_move(state):
            if at == len(steps):
                raise RecordError(f"steps[{at}]", "the record ends here, the match does not")
            pause(steps[at - 1], state)
            game.play(state, _moves(steps[at]), rng, listen)
    except BadSetup as error:
        raise RecordError("options", str(error)) from None
    except IllegalMove as error:
        raise RecordError(f"steps[{at}].move", error.reason) from None


def _moves(step: AnyStep) -> list[str]:
    if "moves" in step:
        return list(step["moves"])
    if "move" not in step:
        raise RecordError(f"steps[{step['i']}]", "a decision is expected here")
    return [step["move"]]

"""Playing the match of a record again, for those who want to look at its positions."""

from collections.abc import Callable
from typing import Any

from engine.game import BadSetup, Game, IllegalMove
from engine.record.reading import RecordError
from engine.record.recorder import Record
from engine.registry import find
from engine.rng import Rng

Look = Callable[[dict[str, Any], object], None]
"""Called with each step of the record and the position after it."""


def game_of(record: Record) -> Game:
    """The game of a record, if its rules still lead to the same steps."""
    try:
        game = find(record["game"])
    except BadSetup as error:
        raise RecordError("game", str(error)) from None
    if record["rules"] not in (game.rules, *game.former_rules):
        raise RecordError(
            "rules", f"the match was played by version {record['rules']}, this is {game.rules}"
        )
    return game


def rerun(record: Record, look: Look) -> None:
    """Let `look` see the position after each step; `RecordError` where the record is not true.

    It trusts what it can check while passing by: kinds of steps and moves. A proof that every
    field is true is the work of `engine.record.verify`.
    """
    game = game_of(record)
    steps: list[dict[str, Any]] = record["steps"]
    seen = 0

    def listen(t: str, state: object, _: dict[str, Any]) -> None:
        nonlocal seen
        if seen == len(steps) or steps[seen]["t"] != t:
            raise RecordError(f"steps[{seen}]", f"the re-run has a step {t!r} here")
        look(steps[seen], state)
        seen += 1

    rng = Rng(record["seed"])
    try:
        state = game.start(len(record["seats"]), record["options"], rng, listen)
        while game.to_move(state):
            if seen == len(steps):
                raise RecordError(f"steps[{seen}]", "the record ends here, the match does not")
            game.play(state, _moves(steps[seen]), rng, listen)
    except BadSetup as error:
        raise RecordError("options", str(error)) from None
    except IllegalMove as error:
        raise RecordError(f"steps[{seen}].move", error.reason) from None


def _moves(step: dict[str, Any]) -> list[str]:
    if "moves" in step:
        return list(step["moves"])
    if "move" not in step:
        raise RecordError(f"steps[{step['i']}]", "a decision is expected here")
    return [step["move"]]

"""The match: a loop that asks seats and applies their moves until the game is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from engine.game import Game, Outcome, Seat, State
from engine.record import Answer, Record, Scribe, write
from engine.rng import Rng
from runners.players import Player, Question


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match. `decisions` counts the moves that a seat was asked for."""

    outcome: Outcome
    decisions: int
    record: Record | None


def play(
    game: Game,
    players: Sequence[Player],
    seed: str,
    *,
    options: Mapping[str, Any] | None = None,
    seats: Sequence[Mapping[str, Any]] | None = None,
    recorded: bool = False,
) -> Played:
    """Play one match to its end. `seats` describes the players in the record."""
    rng = Rng(seed)
    scribe = Scribe(game) if recorded else None
    state = game.start(len(players), options or {}, rng, scribe)
    decisions = 0
    while asked := game.to_move(state):
        decisions += len(asked)
        if scribe is None:
            moves = [players[seat].decide(Question(game, state, seat)) for seat in asked]
        else:
            moves = [_timed(players[seat], game, state, seat, scribe) for seat in asked]
        game.play(state, moves, rng, scribe)
    outcome = game.outcome(state)
    assert outcome is not None
    if scribe is None:
        return Played(outcome, decisions, None)
    record = write(
        scribe,
        options=game.settle(len(players), options),
        seed=seed,
        seats=seats or [describe(f"seat {seat}") for seat in range(len(players))],
        outcome=outcome,
    )
    return Played(outcome, decisions, record)


def _timed(player: Player, game: Game, state: State, seat: Seat, scribe: Scribe) -> str:
    begun = perf_counter()
    move = player.decide(Question(game, state, seat))
    scribe.answers[seat] = Answer(ms=round((perf_counter() - begun) * 1000, 1))
    return move


def describe(name: str, bot: str | None = None, version: int | None = None) -> dict[str, Any]:
    """How a player stands in the record."""
    return {"name": name, "bot": bot, "version": version}

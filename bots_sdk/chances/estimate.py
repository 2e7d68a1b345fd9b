"""The chances in a recorded match: its positions, each played out many times.

Everything is counted and nothing is timed, so a record has the same chances on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import Any

from bots_sdk.chances.discovery import find_policy
from bots_sdk.chances.points import points
from bots_sdk.chances.policy import Policy, with_forfeits
from bots_sdk.chances.turning import turning_points
from bots_sdk.chances.values import NO_CHANCES, Chances, Row, in_per_mille
from engine.game import Game, Seat
from engine.record.ending import final, forfeiting_faults
from engine.record.rerun import game_of, rerun
from engine.record.types import AnyRecord, AnyStep
from engine.rng import Rng

MAX_COST = 48_000
"""Moves made in the playouts of a match; begun rounds of playouts are finished."""
MAX_PLAYOUTS = 64
"""From each position."""
PLAYOUT_COST = 12
"""What setting up a playout costs, in moves."""


class EndlessGame(Exception):
    """A playout went on for longer than its game allows."""


@dataclass(frozen=True, slots=True)
class _Position:
    step: int
    state: Any
    forfeits: frozenset[Seat]
    """Who has forfeited until here."""


def _go_on() -> None:
    """Allow another playout."""


def estimate(record: AnyRecord, allow: Callable[[], None] = _go_on) -> Chances:
    """Return the chances in a match; `RecordError` if it cannot be played again here.

    `allow` is called before each playout and may raise to end it all.
    """
    game = game_of(record)
    positions = _positions(game, record)
    if not positions:
        return NO_CHANCES
    policy = find_policy(game.slug)
    playouts, shares = _Playouts(game, policy, record, allow).run(positions)
    outcome = record["outcome"]["placements"]
    rows = [
        *(
            Row(position.step, in_per_mille(own))
            for position, own in zip(positions, shares, strict=True)
        ),
        Row(len(record["steps"]) - 1, in_per_mille(_shares(outcome))),
    ]
    turns, swing = turning_points(rows, playouts, record, game.presentation)
    return Chances(
        policy=policy.name, playouts=playouts, rows=rows, turning_points=turns, swing=swing
    )


def _positions(game: Game, record: AnyRecord) -> list[_Position]:
    """Return the positions to be played out."""
    decisions: list[int] = []
    rerun(record, pause=lambda step, _: decisions.append(step["i"]))
    if not decisions:
        return []
    chosen = set(points(decisions, record["steps"], game.presentation))
    forfeiting = forfeiting_faults(record["faults"]).items()
    positions: list[_Position] = []

    def keep(step: AnyStep, state: object) -> None:
        i = step["i"]
        if i in chosen:
            forfeits = frozenset(seat for seat, fault in forfeiting if (fault["step"] or 0) <= i)
            positions.append(_Position(i, game.clone(state), forfeits))

    rerun(record, pause=keep)
    return positions


def _shares(placements: list[int]) -> list[int]:
    """Return the part of the first place that each seat has, as whole numbers."""
    winners = placements.count(1)
    return [_UNIT // winners if place == 1 else 0 for place in placements]


_UNIT = lcm(*range(1, 11))
"""A first place can be divided by as many as share it."""


class _Playouts:
    """Plays positions out, one of each in turn, until the moves allowed are used up."""

    def __init__(
        self, game: Game, policy: Policy[Any], record: AnyRecord, allow: Callable[[], None]
    ) -> None:
        self.game = game
        self.policy = policy
        self.allow = allow
        self.digest = record["digest"]
        self.seats = len(record["seats"])
        self.longest = game.max_decisions(self.seats, record["options"])
        self.cost = 0

    def run(self, positions: list[_Position]) -> tuple[int, list[list[int]]]:
        """Return how many playouts each position had, and each seat's part of the wins."""
        totals = [[0] * self.seats for _ in positions]
        number = 0
        while number < MAX_PLAYOUTS and self.cost < MAX_COST:
            for position, total in zip(positions, totals, strict=True):
                self.allow()
                for seat, share in enumerate(_shares(self._play_out(position, number))):
                    total[seat] += share
            number += 1
        return number, totals

    def _play_out(self, position: _Position, number: int) -> list[int]:
        """Return the places after one playout."""
        game, policy, forfeits = self.game, self.policy, position.forfeits
        rng = Rng(f"{self.digest} {position.step} {number}")
        state = game.clone(position.state)
        policy.shuffle(state, rng)
        plays = 0
        while game.to_move(state):
            moves = policy.moves(game, state, rng)
            if forfeits:
                moves = with_forfeits(game, state, moves, forfeits)
            game.play(state, moves, rng)
            plays += 1
            if plays > self.longest:
                raise EndlessGame(f"a playout from step {position.step} has {plays} moves")
        self.cost += plays + PLAYOUT_COST
        outcome = game.outcome(state)
        assert outcome is not None
        return final(outcome, sorted(forfeits))["placements"] if forfeits else outcome.placements

"""The chances in a recorded match: its positions, each played out many times.

Everything is counted and nothing is timed, so a record has the same chances on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import Any

from bots_sdk.chances.discovery import find_policy
from bots_sdk.chances.points import points, thin
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
MIN_PLAYOUTS = 16
"""With fewer a chance says nothing. So if a game takes long, fewer positions are played out."""
PLANNED_PLAYOUTS = 20
"""What is planned for then, because some playouts take longer than the first ones."""
MIN_POSITIONS = 4
"""With fewer there are no lines; a match of a game that takes so long has no chances."""
PLAYOUT_COST = 12
"""What setting up a playout costs, in moves."""
PLAYS_BETWEEN = 4
"""How many moves of a playout are made before `allow` is called again."""


class EndlessGame(Exception):
    """A playout went on for longer than its game allows."""


@dataclass(slots=True)
class _Position:
    step: int
    state: Any
    forfeits: frozenset[Seat]
    """Who has forfeited until here."""
    wins: list[int]
    """What each seat has won of the playouts, in shares of `_UNIT`."""
    cost: int = 0
    """Of its first playout, in moves."""


def _go_on() -> None:
    """Allow it to go on."""


def estimate(record: AnyRecord, allow: Callable[[], None] = _go_on) -> Chances:
    """Return the chances in a match; `RecordError` if it cannot be played again here.

    `allow` is called every few moves and may raise to end it all.
    """
    game = game_of(record)
    policy = find_policy(game.slug)
    playouts, positions = _Playouts(game, policy, record, allow).run(
        _positions(game, record, allow)
    )
    if not positions:
        return NO_CHANCES
    rows = [Row(position.step, in_per_mille(position.wins)) for position in positions]
    outcome = record["outcome"]
    decided = len(outcome["forfeits"]) < len(record["seats"])
    if decided:
        rows.append(Row(len(record["steps"]) - 1, in_per_mille(_shares(outcome["placements"]))))
    turns, swing = turning_points(rows, playouts, record, game.presentation)
    return Chances(
        policy=policy.name,
        playouts=playouts,
        rows=rows,
        decided=decided,
        turning_points=turns,
        swing=swing,
    )


def _positions(game: Game, record: AnyRecord, allow: Callable[[], None]) -> list[_Position]:
    """Return the positions to be played out: none after everybody has forfeited."""
    seats = len(record["seats"])
    forfeiting = forfeiting_faults(record["faults"]).items()

    def forfeits(i: int) -> frozenset[Seat]:
        return frozenset(seat for seat, fault in forfeiting if (fault["step"] or 0) <= i)

    decisions = [i for i in _decisions(record, allow) if len(forfeits(i)) < seats]
    if not decisions:
        return []
    chosen = set(points(decisions, record["steps"], game.presentation))
    positions: list[_Position] = []

    def keep(step: AnyStep, state: object) -> None:
        allow()
        if (i := step["i"]) in chosen:
            positions.append(_Position(i, game.clone(state), forfeits(i), [0] * seats))

    rerun(record, pause=keep)
    return positions


def _decisions(record: AnyRecord, allow: Callable[[], None]) -> list[int]:
    """Return the steps after which seats had a choice."""
    decisions: list[int] = []

    def note(step: AnyStep, _: object) -> None:
        allow()
        decisions.append(step["i"])

    rerun(record, pause=note)
    return decisions


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
        self.longest = game.max_decisions(len(record["seats"]), record["options"])
        self.cost = 0

    def run(self, positions: list[_Position]) -> tuple[int, list[_Position]]:
        """Return how many playouts each position had, and the positions there was room for."""
        for position in positions:
            position.cost = self._count(position, 0)
            if self.cost >= MAX_COST:
                return 0, []
        positions = _affordable(positions, MAX_COST - self.cost)
        number = 1
        while positions and number < MAX_PLAYOUTS and self.cost < MAX_COST:
            for position in positions:
                self._count(position, number)
            number += 1
        return (number, positions) if number >= min(MIN_PLAYOUTS, MAX_PLAYOUTS) else (0, [])

    def _count(self, position: _Position, number: int) -> int:
        """Play a position out once more and count who wins. Return what it cost."""
        plays, places = self._play_out(position, number)
        for seat, share in enumerate(_shares(places)):
            position.wins[seat] += share
        cost = plays + PLAYOUT_COST
        self.cost += cost
        return cost

    def _play_out(self, position: _Position, number: int) -> tuple[int, list[int]]:
        """Return the number of moves and the places of one playout."""
        game, policy, forfeits = self.game, self.policy, position.forfeits
        rng = Rng(f"{self.digest} {position.step} {number}")
        state = game.clone(position.state)
        policy.shuffle(state, rng)
        plays = 0
        while game.to_move(state):
            if plays % PLAYS_BETWEEN == 0:
                self.allow()
            moves = policy.moves(game, state, rng)
            if forfeits:
                moves = with_forfeits(game, state, moves, forfeits)
            game.play(state, moves, rng)
            plays += 1
            if plays > self.longest:
                raise EndlessGame(f"a playout from step {position.step} has {plays} moves")
        outcome = game.outcome(state)
        assert outcome is not None
        if forfeits:
            return plays, final(outcome, sorted(forfeits))["placements"]
        return plays, outcome.placements


def _affordable(positions: list[_Position], most: int) -> list[_Position]:
    """Return as many of the positions, evenly, as can be played out often enough at this cost.

    What that takes is known from one playout of each.
    """
    fewest = min(len(positions), MIN_POSITIONS)
    for count in range(len(positions), fewest - 1, -1):
        kept = thin(positions, count)
        if sum(position.cost for position in kept) * (PLANNED_PLAYOUTS - 1) <= most:
            return kept
    return []

"""Searcher: imagines the cards it cannot see, and counts the exchanges everybody still needs.

1. It reads clues. Who hides a card has not drawn a gem of its own type. Who turns over an unknown
   card knows of no gem of its own that it could take instead.
2. It imagines worlds: `imagine` deals whatever is hidden anew. A world counts the less, the more
   clues it contradicts.
3. In a world it works out how many exchanges a seat needs. Every missing gem is one. Unknown cards
   that turn out useless are more; how many is a matter of counting. And gems that block each other
   in its own row (the gem of slot 2 lies in slot 4, that of slot 4 in slot 2) need a useless card
   to push one of them out.
4. It tries the moves it has in all worlds and takes the one after which it is likely to be before
   most opponents: they should need many exchanges, itself few.

The unique move waits until it wins, or until somebody else may win before the next turn.

It counts what it looks at and not the time, so the same match comes out the same again; the clock
is there for safety only.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, exp
from typing import NamedTuple

from bots_sdk.bot import View
from bots_sdk.games.edelsteinsuche import (
    Draw,
    EdelsteinsucheBot,
    EdelsteinsuchePlaceView,
    EdelsteinsucheView,
)
from engine.games.edelsteinsuche import GAME
from engine.games.edelsteinsuche.state import PLACES, State
from engine.rng import Rng

EVALUATIONS = 120
"""Moves times worlds that are looked at in a decision: 10 ms of computing at most,"""
MAX_WORLDS = 16
"""and of a few moves not more than that."""
HURRY_MS = 60
WORLDS_IN_A_HURRY = 2
DOUBT = 0.2
"""What a world counts for each clue it contradicts: others may play badly."""
RISK = 0.1
"""The chance that somebody else wins next at which the unique move is due."""
LEAD = 1.5
"""A lead of so many exchanges makes a win likely."""
NO_CHANCE = Rng("")
"""Nothing is random after the deal."""
STUCK = 0.05
"""What a gem in its own row costs even if it blocks nothing: it cannot be shown yet."""

WeightedWorlds = list[tuple[State, float]]
"""Imagined positions, and what each counts; together 1."""


class Task(NamedTuple):
    """What a seat still has to do."""

    missing: int
    unknown: int
    """Face-down cards of other rows that it has not seen,"""
    hidden: int
    """and how many of them are its own gems."""
    blocks: int
    """Groups of gems in its own row that block each other."""
    stuck: int
    """Its gems that lie face down in its own row."""

    def exchanges(self) -> float:
        """Return how many it needs on average."""
        return self.missing + waste(self.unknown, self.hidden, self.blocks) + STUCK * self.stuck

    def chance(self, exchanges: int) -> float:
        """Return how likely so many are enough."""
        spare = exchanges - self.missing
        if spare < self.blocks:
            return 0.0
        last = range(self.hidden, min(self.unknown, self.hidden + spare) + 1)
        return sum(chance_of_last(self.unknown, self.hidden, at) for at in last)


def chance_of_last(unknown: int, hidden: int, at: int) -> float:
    """Return how likely the last of the hidden gems is found with this draw."""
    if not hidden:
        return float(at == 0)
    return comb(at - 1, hidden - 1) / comb(unknown, hidden)


@lru_cache(maxsize=1 << 12)
def waste(unknown: int, hidden: int, blocks: int) -> float:
    """Return the exchanges that show no gem: useless cards, each of which may end a block."""
    return sum(
        chance_of_last(unknown, hidden, at) * max(at - hidden, blocks)
        for at in range(hidden, unknown + 1)
    )


def task_of(world: State, seat: int) -> Task:
    """Return what the seat has to do in this world, knowing what it knows."""
    gem, own, bit = world.types[seat], 5 * seat, 1 << seat
    unknown = hidden = 0
    lies_in: dict[int, int] = {}
    for place in range(PLACES):
        if world.up[place]:
            continue
        card = world.cards[place]
        if own <= place < own + 5:
            if card[0] == gem:
                lies_in[int(card[1])] = place - own + 1
        elif not world.knowers[place] & bit:
            unknown += 1
            hidden += card[0] == gem
    return Task(world.missing[seat], unknown, hidden, count_blocks(lies_in), len(lies_in))


def count_blocks(lies_in: dict[int, int]) -> int:
    """Count the circles of gems that wait: gem 2 in slot 4 for gem 4 to be shown there, say."""
    blocks, looked_at = 0, set[int]()
    for first in lies_in:
        path: list[int] = []
        gem = first
        while gem in lies_in and gem not in looked_at:
            looked_at.add(gem)
            path.append(gem)
            gem = lies_in[gem]
        blocks += gem in path
    return blocks


class Clues:
    """For each place, whose gem surely does not lie there, if everybody plays sensibly."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.not_of: list[set[int]] = [set() for _ in range(PLACES)]
        self.seen_by = [{place // 5} & set(range(seats)) for place in range(PLACES)]

    def read(self, news: Sequence[View]) -> None:
        """Follow every exchange."""
        for step in news:
            if step["t"] == "place":
                row, slot = step["to"]
                own = 5 * step["seat"] + step["slot"] - 1
                self._exchange(step["seat"], own, 5 * row + slot - 1, step["move"] == "show")

    def _exchange(self, seat: int, own: int, source: int, face_up: bool) -> None:
        not_of, seen_by = self.not_of, self.seen_by
        if seat not in seen_by[source]:
            for place in range(PLACES):
                if place // 5 != seat and seat in seen_by[place]:
                    not_of[place].add(seat)
        if not face_up:
            not_of[source].add(seat)
        not_of[own], not_of[source] = not_of[source], not_of[own]
        seen_by[own], seen_by[source] = (
            seen_by[source] | {seat},
            seen_by[own] | ({source // 5} & set(range(self.seats))),
        )

    def weight(self, world: State) -> float:
        """Return the weight of a world."""
        against = sum(
            world.cards[place][0] == world.types[seat]
            for place, seats in enumerate(self.not_of)
            for seat in seats
        )
        return float(DOUBT**against)


class Searcher(EdelsteinsucheBot):
    """Looks one exchange ahead in many worlds."""

    clues: Clues | None = None

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Read what happened, then decide."""
        self.clues = self.clues or Clues(len(view.seats))
        self.clues.read(view.news)
        return super().decide(view, options)

    def start_turn(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Play the unique move if it is sure to win, or if there may be no other turn."""
        worlds = self.imagine(view, len(options))
        if task_of(worlds[0][0], view.seat).chance(3) == 1:
            return "unique"
        risk = sum(weight * self.risk(world, view.seat) for world, weight in worlds)
        self.note(f"{risk:.0%} that somebody wins before my next turn")
        return "unique" if risk > RISK else "normal"

    @staticmethod
    def risk(world: State, own: int) -> float:
        """Return how likely another seat wins before the next turn of this one."""
        nobody = 1.0
        for seat in range(world.n):
            if seat != own:
                nobody *= 1 - task_of(world, seat).chance(1 if world.unique_used[seat] else 3)
        return 1 - nobody

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Draw a known gem, or else the unknown card that is most likely one."""
        known = view.known[view.seat]
        cards = {move: Draw.parse(move).find(known) for move in options}
        moves = [move for move, card in cards.items() if card and card[0] == view.me.type]
        if not moves:
            unknown = [move for move, card in cards.items() if card is None] or [*options]
            fewest = min(map(self.types_possible, unknown))
            moves = [move for move in unknown if self.types_possible(move) == fewest]
        if len(moves) == 1:
            return moves[0]
        worlds, hide = self.imagine(view, len(moves)), self.best_hide(view)
        return self.choose_best(
            moves,
            lambda move: sum(
                weight * self.others_need(after_exchange(world, move, hide), view.seat)
                for world, weight in worlds
            ),
        )

    def types_possible(self, move: str) -> int:
        """Return how many types the card of this draw may have; few make its own more likely."""
        assert self.clues
        draw = Draw.parse(move)
        place = 5 * draw.row + draw.slot - 1
        return 4 - len(self.clues.not_of[place])

    def best_hide(self, view: EdelsteinsucheView) -> str:
        """Return where a useless card would go: best where it ends a block, or sends a gem away."""
        row = view.rows[view.seat]
        slots = [slot for slot in range(1, 6) if not row[slot - 1].up]

        def worth(slot: int) -> int:
            card = row[slot - 1].card or "  "
            return (card[0] == view.me.type) + (card == f"{view.me.type}{slot}")

        return f"hide {max(slots, key=worth)}"

    @staticmethod
    def others_need(world: State, own: int) -> float:
        """Return how far the others are from winning; beyond some distance it hardly grows."""
        return sum(
            1 / (1 + exp(-turns(world, seat) / LEAD)) for seat in range(world.n) if seat != own
        )

    def place(self, view: EdelsteinsuchePlaceView, options: Sequence[str]) -> str:
        """Show what can be shown; otherwise what is best on average."""
        if options[0] == "show":
            return "show"
        worlds = self.imagine(view, len(options))
        return self.choose_best(
            options,
            lambda move: sum(
                weight * before_others(after_move(world, move), view.seat)
                for world, weight in worlds
            ),
        )

    def imagine(self, view: EdelsteinsucheView, moves: int) -> WeightedWorlds:
        """Return worlds that the view allows, to try so many moves in, weighed by the clues."""
        assert self.clues
        rng = Rng(str(self.rng.random()))
        count = min(EVALUATIONS // moves, MAX_WORLDS)
        if view.time_left_ms < HURRY_MS:
            count = WORLDS_IN_A_HURRY
        worlds = [GAME.imagine(view, rng) for _ in range(count)]
        weights = [self.clues.weight(world) for world in worlds]
        return [
            (world, weight / sum(weights)) for world, weight in zip(worlds, weights, strict=True)
        ]


def turns(world: State, seat: int) -> float:
    """Return the turns a seat needs; the unique move, if it is left, saves two."""
    exchanges = task_of(world, seat).exchanges()
    return exchanges if world.unique_used[seat] else max(exchanges - 2, min(exchanges, 1.0))


def before_others(world: State, own: int) -> float:
    """Return how many opponents this seat is likely to finish before."""
    mine = turns(world, own)
    others = [turns(world, seat) for seat in range(world.n) if seat != own]
    return sum(1 / (1 + exp((mine - theirs) / LEAD)) for theirs in others)


def after_move(world: State, move: str) -> State:
    """Return the world after a move."""
    after: State = GAME.clone(world)
    GAME.play(after, [move], NO_CHANCE)
    return after


def after_exchange(world: State, draw: str, hide: str) -> State:
    """Return the world after an exchange: the card is shown if it can be, or hidden there."""
    after = after_move(world, draw)
    if after.source is None:
        return after  # The last free slot: the card went there by itself.
    return after_move(after, "show" if after.moves[0] == "show" else hide)

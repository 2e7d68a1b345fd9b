"""Search in imagined worlds: deal what is hidden anew, play a round, appraise where it ends.

The budget counts rounds played, not time, so that a match comes out the same on every machine; the
clock is only the emergency brake.
"""

from collections.abc import Sequence
from itertools import product
from typing import Generic, TypeVar

from bots_sdk.bot import View
from bots_sdk.decisions import GameBot
from bots_sdk.search.equilibrium import OpponentModels, expected_values
from engine.game import Game
from engine.rng import Rng

S = TypeVar("S")
"""A position of the game."""

LOOK_AT = 12
"""Moves compared where a seat is only imagined to decide, about."""


class RoundSearch(Generic[S]):
    """Tries moves out to the end of a round. For a game, write `appraise` and `round_of`.

    It decides for a bot, with the chance of the bot:

        def trade_free(self, view, options):
            return self.search.best_move(view, options)
    """

    game: Game
    budget = 81
    """Rounds played for a decision, at most; they take about 10 ms, and more at larger tables."""
    hurry_ms = 60
    """With less time left than this, it does with a quarter of the budget."""

    def __init__(self, bot: GameBot) -> None:
        self.bot = bot
        self.models = OpponentModels()
        self.chance = Rng("")

    def appraise(self, state: S) -> list[float]:
        """Return how good a position is for each seat; the higher, the better."""
        raise NotImplementedError

    def round_of(self, state: S) -> object:
        """Return what tells this round from the next."""
        raise NotImplementedError

    def prepare(self, world: S) -> None:
        """Change a world that was just imagined; by default nothing."""

    def choose_together(self, view: View, options: Sequence[str]) -> str:
        """Return the best answer to what the others will probably choose.

        For decisions that all seats make at the same time, from the same options.
        """
        joints = list(product(options, repeat=len(view.seats)))
        budget = self.rounds_allowed(view)
        if len(joints) > budget:
            joints = self.bot.rng.sample(joints, budget)
        world = self.imagine(view)
        payoffs = {joint: self.after(world, joint) for joint in joints}
        self.models.learn(view, options)
        habits = self.models.predict(payoffs, options)
        values = expected_values(payoffs, habits)[view.seat]
        return self.bot.choose_best(options, lambda action: values[action])

    def best_move(self, view: View, options: Sequence[str]) -> str:
        """Return the move after which the round ends best, in all worlds the budget allows."""
        budget = self.rounds_allowed(view)
        moves = list(options)
        if len(moves) > budget:
            moves = self.bot.rng.sample(moves, budget)
        worlds = [self.imagine(view) for _ in range(max(1, budget // 2 // len(moves)))]
        totals = {
            move: sum(self.after(world, (move,))[view.seat] for world in worlds) for move in moves
        }
        return self.bot.choose_best(moves, lambda move: totals[move])

    def imagine(self, view: View) -> S:
        """Return a position that looks like this one from here."""
        self.chance = Rng(str(self.bot.rng.getrandbits(64)))
        world: S = self.game.imagine(view, self.chance)
        self.prepare(world)
        return world

    def after(self, world: S, moves: Sequence[str]) -> list[float]:
        """Appraise the end of the round if these moves are made and all go on sensibly.

        Where several seats decide at once, there is a move for each of them; otherwise the moves
        follow one another, and those that nobody may make are left out.
        """
        game, state = self.game, self.game.clone(world)
        here = self.round_of(state)
        asked = game.to_move(state)
        if len(asked) > 1:
            game.play(state, moves, self.chance)
        else:
            for move in moves:
                asked = game.to_move(state)
                if asked and move in game.options(state, asked[0]):
                    game.play(state, [move], self.chance)
        while game.to_move(state) and self.round_of(state) == here:
            self.go_on(state)
        return self.appraise(state)

    def go_on(self, state: S) -> None:
        """Let the seats that are asked make their usual moves."""
        moves = [self.usual_move(state, seat) for seat in self.game.to_move(state)]
        self.game.play(state, moves, self.chance)

    def usual_move(self, state: S, seat: int) -> str:
        """Return what a seat does in a round that is only imagined."""
        return self.best_at_once(state, seat)

    def best_at_once(self, state: S, seat: int) -> str:
        """Return the move that looks best right after it, of about a dozen."""
        options = self.game.options(state, seat)
        moves = [options[i] for i in range(0, len(options), len(options) // LOOK_AT + 1)]
        if len(self.game.to_move(state)) > 1:
            return moves[0]
        return max(moves, key=lambda move: self.right_after(state, move)[seat])

    def right_after(self, state: S, *moves: str) -> list[float]:
        """Appraise the position after some moves, one after the other."""
        state = self.game.clone(state)
        for move in moves:
            self.game.play(state, [move], self.chance)
        return self.appraise(state)

    def rounds_allowed(self, view: View) -> int:
        """Return how many rounds may be played for this decision."""
        return self.budget if view.time_left_ms > self.hurry_ms else self.budget // 4

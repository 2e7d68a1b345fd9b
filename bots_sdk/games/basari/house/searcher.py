"""Searcher thinks every round through, with the engine and a sense of what a position is worth.

Choosing an action is a guessing game: alone you act, two barter, three get nothing. So it plays
the round for every joint choice of all seats, the likely barters included, and appraises where
each one leads. In this table of payoffs it looks for what players choose who prefer what pays but
make mistakes, and remembers which kind of player each neighbour is.

In a barter it weighs each low offer by how likely it is taken, and by how the talk would go on if
not. Every other move is simply tried out to the end of the round. All this happens in worlds
imagined from the view, by the modules of `bots_sdk.search`; what is written here is what a position
of Basari is worth.
"""

from collections.abc import Sequence
from math import exp

from bots_sdk.games.basari import BasariAnswerView, BasariBarterView, BasariBot, BasariView
from bots_sdk.search.haggling import BarterSearch
from bots_sdk.search.holdings import DECISIVE_LEAD, KEEP, add_gems, leads, majority_weights
from engine.games.basari import GAME
from engine.games.basari.cards import WORKERS
from engine.games.basari.state import State

# How long a stage goes on, and who gets the award, was fitted to simulated races for workers.
ENOUGH = 15
AWARD = 12
ORDINARY = 2.5
"""Workers on an average card."""
WEIGHTS = [majority_weights(0.7 + 0.24 * missing) for missing in range(ENOUGH + 1)]
"""By the workers that the leader still needs, for they tell how many rounds the stage goes on."""


class BazaarSearch(BarterSearch[State]):
    """Knows what a position of Basari is worth."""

    game = GAME

    def round_of(self, state: State) -> object:
        """Return the stage and the round."""
        return state.stage, state.round

    def appraise(self, state: State) -> list[float]:
        """Return how far each seat is ahead."""
        return leads(worths(state), DECISIVE_LEAD[state.stage])

    def prepare(self, world: State) -> None:
        """Let ordinary cards come next: what they happen to be in this world must not decide."""
        world.pile.sort(key=lambda card: -abs(WORKERS[card] - ORDINARY))


def worths(state: State) -> list[float]:
    """Return what each seat has and may expect, in points."""
    worth = [float(points) for points in state.points]
    if state.decision is None:
        return worth
    # Without the cards just dealt: they are luck, and tell nothing about the moves before.
    workers = [
        count - (WORKERS[card] if card else 0)
        for count, card in zip(state.workers, state.cards, strict=True)
    ]
    add_gems(worth, state.gems, WEIGHTS[max(0, ENOUGH - max(workers))], KEEP[state.stage])
    for seat, own in enumerate(workers):
        best = max(count for other, count in enumerate(workers) if other != seat)
        hope = 0.7 - 0.3 * state.n + 0.1 * own + 0.4 * (own - best)
        worth[seat] += AWARD / (1 + exp(-hope))
    return worth


class Searcher(BasariBot):
    """Plays rounds in its head."""

    def __init__(self) -> None:
        self.search = BazaarSearch(self)

    def choose_action(self, view: BasariView, options: Sequence[str]) -> str:
        """Choose the best answer to what the others will probably choose."""
        return self.search.choose_together(view, options)

    def open_barter(self, view: BasariBarterView, options: Sequence[str]) -> str:
        """Make the offer that promises most."""
        return self.search.haggle(view, options)

    def answer_offer(self, view: BasariAnswerView, options: Sequence[str]) -> str:
        """Take the gems, or bid more."""
        return self.search.haggle(view, options)

    def trade_free(self, view: BasariView, options: Sequence[str]) -> str:
        """Take the gems that matter most for majorities."""
        return self.search.best_move(view, options)

    def pick_free(self, view: BasariView, options: Sequence[str]) -> str:
        """Take the gem that matters most for majorities."""
        return self.search.best_move(view, options)

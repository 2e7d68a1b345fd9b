"""Searcher thinks every round through, with the engine and a sense of what a position is worth.

Choosing an action is a guessing game: alone you act, two barter, three get nothing. So it plays
the round for every joint choice of all seats, the likely barters included, and appraises where
each one leads. In this table of payoffs it looks for what players choose who prefer what pays but
make mistakes, and remembers which kind of player each neighbour is.

In a barter it weighs each low offer by how likely it is taken, and by how the talk would go on if
not. Every other move is simply tried out to the end of the round. All this happens in worlds
imagined from the view, by the modules of `bots_sdk.search`; what is written here is what a position
of Edel, Stein & Reich is worth, event cards included.
"""

from collections.abc import Sequence
from math import exp

from bots_sdk.decisions import GameBot
from bots_sdk.games.edel_stein_reich import (
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichEventView,
    EdelSteinReichUseView,
    EdelSteinReichView,
)
from bots_sdk.search.haggling import BarterSearch
from bots_sdk.search.holdings import DECISIVE_LEAD, KEEP, add_gems, leads, majority_weights
from engine.barter.gems import SHIFT
from engine.games.edel_stein_reich import GAME
from engine.games.edel_stein_reich.cards import BONUS, COLOUR_BONUS, EVENT, PER_GEM
from engine.games.edel_stein_reich.state import ROUNDS, State

WEIGHTS = [majority_weights(left) for left in range(9)]
"""By the rounds left in the phase."""
# The worth of certificates was fitted to 150 matches of three seats; that of the pile is a guess.
UNSEEN_EVENT = 4
"""What an event card from the pile is worth on average."""
CERTIFICATES = 14.0
"""What they pay in all; each seat expects its part of all certificate weights."""
CERTIFICATE_WEIGHTS = [exp(count / 0.6) for count in range(16)]


def worths(state: State) -> list[float]:
    """Return what each seat has and may expect, in money."""
    worth = [float(money) for money in state.money]
    if state.decision is None:
        return worth
    weights = WEIGHTS[ROUNDS[state.n] - state.round + 1]
    chances = add_gems(worth, state.gems, weights, KEEP[state.phase])
    if any(state.held):
        add_events(state, chances, worth)
    return worth


def add_events(state: State, chances: list[list[float]], worth: list[float]) -> None:
    """Add what the event cards before the seats will bring."""
    kinds = [[EVENT[card] for card in cards] for cards in state.held]
    certificates = [CERTIFICATE_WEIGHTS[own.count("certificate")] for own in kinds]
    total = sum(certificates)
    for seat, own in enumerate(kinds):
        worth[seat] += CERTIFICATES * certificates[seat] / total
        for kind in own:
            if kind == "every_sole_majority":
                worth[seat] += 4 * sum(shares[seat] for shares in chances)
            elif kind in COLOUR_BONUS:
                colour = COLOUR_BONUS.index(kind)
                bonus = BONUS[state.options["majority_bonus"]][colour]
                worth[seat] += bonus * chances[colour][seat]
            elif kind in PER_GEM:
                worth[seat] += 1 + (state.gems[seat] >> SHIFT[PER_GEM.index(kind)] & 31)


class ExchangeSearch(BarterSearch[State]):
    """Knows what a position of Edel, Stein & Reich is worth."""

    game = GAME

    def __init__(self, bot: GameBot) -> None:
        super().__init__(bot)
        self.shortfalls: dict[int, float] = {}

    def round_of(self, state: State) -> object:
        """Return the phase and the round."""
        return state.phase, state.round

    def appraise(self, state: State) -> list[float]:
        """Return how far each seat is ahead."""
        return leads(worths(state), DECISIVE_LEAD[state.phase])

    def topic(self, state: State) -> object:
        """Return the barter, or the event card that is used."""
        return super().topic(state) or state.using

    def prepare(self, world: State) -> None:
        """Forget what the open event card was worth in another world."""
        self.shortfalls = {}

    def go_on(self, state: State) -> None:
        """Let seats take the open event card, and pay them what an unseen one is worth more."""
        if state.decision == "EVENT_SOURCE":
            # An imagined seat may own fractions.
            state.money[state.asked[0]] += self.shortfall(state)  # type: ignore[call-overload]
            self.game.play(state, ["open"], self.chance)
        else:
            super().go_on(state)

    def shortfall(self, state: State) -> float:
        """Return how much worse the open event card is than an unseen one.

        An imagined round pays the difference: drawing a card would tell what nobody can know.
        """
        (seat,) = state.asked
        if seat not in self.shortfalls:
            trial = self.game.clone(state)
            self.game.play(trial, ["open"], self.chance)
            if trial.decision == "EVENT_USE":
                self.go_on(trial)
            gain = worths(trial)[seat] - worths(state)[seat]
            self.shortfalls[seat] = max(0.0, UNSEEN_EVENT - gain)
        return self.shortfalls[seat]


class Searcher(EdelSteinReichBot):
    """Plays rounds in its head."""

    def __init__(self) -> None:
        self.search = ExchangeSearch(self)

    def choose_action(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Choose the best answer to what the others will probably choose."""
        return self.search.choose_together(view, options)

    def open_barter(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Make the offer that promises most, or none."""
        return self.search.haggle(view, options)

    def answer_offer(self, view: EdelSteinReichAnswerView, options: Sequence[str]) -> str:
        """Take the gems, or bid more."""
        return self.search.haggle(view, options)

    def offer_single(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer one gem, if the action is worth it."""
        return self.search.best_move(view, options)

    def choose_source(self, view: EdelSteinReichEventView, options: Sequence[str]) -> str:
        """Weigh the open card against what the pile may hold."""
        return self.search.best_move(view, options)

    def use_event(self, view: EdelSteinReichUseView, options: Sequence[str]) -> str:
        """Choose the use that leads to the best position."""
        return self.search.best_move(view, options)

    def trade_free(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Take the gems that matter most for majorities."""
        return self.search.best_move(view, options)

    def pick_free(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Take the gem that matters most for majorities."""
        return self.search.best_move(view, options)

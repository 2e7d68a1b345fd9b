"""Search for the two barter games: which offer to make, which to accept.

An offer is weighed by how likely it is taken, and by how the talk would go on if not. Barters that
are only imagined end with a fair price at once.
"""

from collections.abc import Sequence
from math import exp
from typing import TypeVar

from bots_sdk.bot import View
from bots_sdk.decisions import GameBot
from bots_sdk.offers import Offer
from bots_sdk.search.determinised import RoundSearch
from engine.barter.table import Table

T = TypeVar("T", bound=Table)
"""A position of a barter game."""
Reply = tuple[int, list[float]]
"""The key of an offer, and how good the end of the round is for each seat if it is accepted."""

STUBBORNNESS = 1.0
"""An offer that is too low by this much is taken e times less often."""
LARGE_TABLE = 5
FAIR_OFFERS, FAIR_OFFERS_AT_LARGE_TABLES = 9, 5
"""So many of the lowest offers are compared where a barter is only imagined."""
_MAX_INCLINATION = 30.0


class BarterSearch(RoundSearch[T]):
    """Plays rounds with barters in its head."""

    def __init__(self, bot: GameBot) -> None:
        super().__init__(bot)
        self.usual_moves: dict[object, str] = {}
        """What seats do in rounds that are only imagined, worked out once for a decision."""

    def topic(self, state: T) -> object:
        """Return what a decision is about, apart from who decides."""
        return state.barter and (state.barter.seats, state.barter.action)

    def imagine(self, view: View) -> T:
        """Return a position that looks like this one, with no opinion yet of what follows."""
        self.usual_moves = {}
        return super().imagine(view)

    def usual_move(self, state: T, seat: int) -> str:
        """Return what a seat does in a round that is only imagined."""
        situation = state.decision, state.asked, self.topic(state)
        if situation not in self.usual_moves:
            decide = self.fair_offer if state.barter else self.best_at_once
            self.usual_moves[situation] = decide(state, seat)
        move, moves = self.usual_moves[situation], state.moves
        return move if move in moves else moves[0]

    def fair_offer(self, state: T, seat: int) -> str:
        """Return the offer that leaves the worse-off of the two best off; accept any offer."""
        assert state.barter
        if state.decision == "BARTER_REPLY":
            return "accept"
        one, two = state.barter.seats
        now = self.appraise(state)
        most = FAIR_OFFERS if state.n < LARGE_TABLE else FAIR_OFFERS_AT_LARGE_TABLES
        moves = [state.moves[i] for i in range(min(len(state.moves), most))]

        def fairness(move: str) -> float:
            then = self.accepted(state, move)
            return min(then[one] - now[one], then[two] - now[two])

        return max(moves, key=fairness)

    def accepted(self, state: T, offer: str) -> list[float]:
        """Appraise the position right after an offer that is accepted, if anybody may refuse it."""
        state = self.game.clone(state)
        self.game.play(state, [offer], self.chance)
        if state.decision == "BARTER_REPLY" and state.barter:
            self.game.play(state, ["accept"], self.chance)
        return self.appraise(state)

    def haggle(self, view: View, options: Sequence[str]) -> str:
        """Return the offer, or the word, that promises most.

        The options begin with the words, then come the offers from low to high; only low ones are
        looked at.
        """
        half = self.rounds_allowed(view) // 2
        world = self.imagine(view)
        moves = [options[i] for i in range(min(len(options), half))]
        words = [move for move in moves if not move.startswith("offer")]
        offers = [move for move in moves if move.startswith("offer")]
        values = {move: self.after(world, (move,))[view.seat] for move in words}
        replies = self.replies(world, offers[0], half) if offers else []
        values |= self.weigh(world, view.seat, offers, replies)
        return max(values, key=lambda move: values[move])

    def replies(self, world: T, offer: str, most: int) -> list[Reply]:
        """Return the lowest offers that the other may answer this one with."""
        state = self.game.clone(world)
        self.game.play(state, [offer], self.chance)
        if state.barter is None or state.decision != "BARTER_REPLY":
            return []  # They had nothing to answer with.
        options = state.moves
        raises = [options[i] for i in range(1, min(len(options), most))]
        return [(Offer.parse(move).key, self.after(state, (move, "accept"))) for move in raises]

    def weigh(
        self, world: T, seat: int, offers: Sequence[str], replies: Sequence[Reply]
    ) -> dict[str, float]:
        """Return what each offer is worth, refusals and what follows them included."""
        assert world.barter
        other = world.barter.other(seat)
        values: dict[str, float] = {}
        # From the highest offer down: whoever is refused may go on with a higher one.
        higher: list[tuple[int, float]] = []
        for move in reversed(offers):
            key, accepted = Offer.parse(move).key, self.after(world, (move, "accept"))
            value = accepted[seat]
            raises = [reply for reply in replies if reply[0] > key]
            if raises:
                top, refused = max(raises, key=lambda reply: reply[1][other])
                chance = likelihood((refused[other] - accepted[other]) / STUBBORNNESS)
                later = [worth for above, worth in higher if above > top]
                value += chance * (max([refused[seat], *later]) - accepted[seat])
            values[move] = value
            higher.append((key, value))
        return values


def likelihood(inclination: float) -> float:
    """Return a chance between 0 and 1; one half for somebody who does not care."""
    limited = max(-_MAX_INCLINATION, min(_MAX_INCLINATION, inclination))
    return 1 / (1 + exp(-limited))

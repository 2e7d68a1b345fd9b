"""What a spectator of Edelsteinsuche likes to know: who could have won, and did not."""

from typing import cast

from engine.facets.insight import Commentator, Insight
from engine.games.edelsteinsuche.cards import SERIES
from engine.games.edelsteinsuche.moves import MAX_EXCHANGES
from engine.games.edelsteinsuche.state import PLACES, State
from engine.games.edelsteinsuche.steps import Turn
from engine.record.types import AnyStep
from engine.seats import Seat


class EdelsteinsucheInsight(Insight[State]):
    """Nothing is scored before the end, but wins are missed."""

    def commentator(self) -> "MissedWins":
        """Return somebody who watches one match."""
        return MissedWins()


class MissedWins(Commentator[State]):
    """Says when a seat knew enough to win in this turn and did not.

    Once for each stretch of turns in which it could: the first is the moment worth a look.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chance: tuple[int, Seat, int] | None = None
        self.missing: set[Seat] = set()

    def watch(self, step: AnyStep, state: State) -> None:
        """Judge the turn that is over, and look at what the next one could bring."""
        if step["t"] in ("turn", "end"):
            self._judge(state)
        if step["t"] == "turn":
            self._look_ahead(cast("Turn", step), state)

    def _judge(self, state: State) -> None:
        """Remark if the turn that is over had a chance and did not use it."""
        if self.chance is None:
            return
        i, seat, cards = self.chance
        self.chance = None
        if state.missing[seat] and seat not in self.missing:
            self.missing.add(seat)
            last = "last card" if cards == 1 else f"last {cards} cards"
            text = f"{{{seat}}} knew where its {last} lay and could have won in this turn."
            self.remark(i, "missed-win", seat, text, secret=True)

    def _look_ahead(self, step: Turn, state: State) -> None:
        seat = step["seat"]
        fresh = state.unique or not state.unique_used[seat]
        needed = exchanges_to_win(state, seat)
        if needed is not None and needed <= (MAX_EXCHANGES if fresh else 1):
            self.chance = step["i"], seat, state.missing[seat]
        else:
            self.missing.discard(seat)


def exchanges_to_win(state: State, seat: Seat) -> int | None:
    """Return how many exchanges complete the series; None if the seat cannot know.

    A card in another row takes one. A card in the seat's own row must first be sent out, which
    happens on the way when the card that belongs in its slot is shown; cards that wait for each
    other in a circle need one exchange more to begin.
    """
    gem, own = state.types[seat], seat * SERIES
    slots: dict[int, int | None] = {}
    """Of each missing number: the slot of the seat's own row it lies in, if it does."""
    for place in range(PLACES):
        card = state.cards[place]
        if card[0] == gem and not state.up[place]:
            if not state.knowers[place] >> seat & 1:
                return None
            inside = own <= place < own + SERIES
            slots[int(card[1])] = place - own + 1 if inside else None
    return len(slots) + _circles(slots)


def _circles(waits_for: dict[int, int | None]) -> int:
    """Return how many circles there are when everything waits for at most one other thing."""
    circles, done = 0, set[int]()
    for first in waits_for:
        at: int | None = first
        path: set[int] = set()
        while at is not None and at not in done:
            done.add(at)
            path.add(at)
            at = waits_for[at]
        circles += at in path
    return circles

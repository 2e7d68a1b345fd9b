"""How Edelsteinsuche is played out when the chances in a match are estimated."""

from bots_sdk.chances.policy import Policy
from engine.game import Game
from engine.games.edelsteinsuche.cards import SERIES
from engine.games.edelsteinsuche.moves import MAX_EXCHANGES
from engine.games.edelsteinsuche.state import DRAW, DRAWS, PLACE, TURN_START, State
from engine.rng import Rng

NEARLY_THERE = 2
"""With so few gems missing, a seat is about to win: half of the others wait no longer."""


class EdelsteinsuchePolicy(Policy[State]):
    """Draws gems it knows, or else cards it does not, and sends its own away to draw them again.

    Nothing is shuffled: spectators see all cards. What a seat may know is kept to.
    """

    name = "quick bots that forget nothing"

    def moves(self, game: Game[State], state: State, rng: Rng) -> list[str]:
        """Return the move of the seat that is asked."""
        decision, seat = state.decision, state.asked[0]
        if decision == DRAW:
            gems, unknown = _places(state, seat)
            places = gems or unknown
            return [DRAWS[places[rng.below(len(places))]] if places else state.moves[0]]
        if decision == PLACE:
            return [_placement(state, seat, rng)]
        if decision == TURN_START:
            gems, _ = _places(state, seat)
            hurry = min(state.missing) <= NEARLY_THERE and rng.bits(1)
            enough = min(MAX_EXCHANGES, state.missing[seat])
            return ["unique" if hurry or len(gems) >= enough else "normal"]
        return ["continue"]


def _places(state: State, seat: int) -> tuple[list[int], list[int]]:
    """Return the places in other rows where a seat knows a gem of its own, and those unknown."""
    gem, bit, own = state.types[seat], 1 << seat, range(seat * SERIES, (seat + 1) * SERIES)
    cards, up = state.cards, state.up
    gems, unknown = list[int](), list[int]()
    for place, knowers in enumerate(state.knowers):
        if not knowers & bit:
            unknown.append(place)
        elif cards[place][0] == gem and not up[place] and place not in own:
            gems.append(place)
    return gems, unknown


def _placement(state: State, seat: int, rng: Rng) -> str:
    """Show what can be shown; or else hide it where a gem of the seat lies, or anywhere."""
    moves = state.moves
    if moves[0] == "show":
        return "show"
    gem, first = state.types[seat], seat * SERIES - 1
    for move in moves:
        _, slot = move.split()
        if state.cards[first + int(slot)][0] == gem:
            return move
    return Policy.any_move(moves, rng)


POLICY = EdelsteinsuchePolicy()

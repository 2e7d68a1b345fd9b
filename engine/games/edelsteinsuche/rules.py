"""The course of Edelsteinsuche: turns, exchanges, and how they end."""

from collections.abc import Callable, Mapping, Sequence

from engine.game import (
    NOBODY,
    Json,
    Outcome,
    Seat,
    ask,
    placements,
    refuse,
    resolve_options,
)
from engine.games.edelsteinsuche.cards import CARDS, NUMBER, PROSPECTORS, SERIES
from engine.games.edelsteinsuche.moves import (
    MAX_EXCHANGES,
    MORE,
    TURNS,
    illegal_reason,
    ways_to_place,
)
from engine.games.edelsteinsuche.state import (
    DRAW,
    DRAWS,
    HIDES,
    OPTIONS,
    OWNERS,
    PLACE,
    ROWS,
    SEATS,
    TURN_START,
    UNIQUE_MORE,
    State,
    Tell,
    list_choices,
)
from engine.rng import Rng

NAME = "Edelsteinsuche"

_SOURCE = {move: place for place, move in enumerate(DRAWS)}
_SLOT = {move: slot for slot, move in enumerate(HIDES, 1)}
_SEATS = [[seat for seat in range(ROWS) if bits >> seat & 1] for bits in range(1 << ROWS)]
"""The seats of every set of bits."""


def start(seats: int, chosen: Mapping[str, Json], rng: Rng, tell: Tell = None) -> State:
    """Deal prospectors and rows; the seat after the dealer is asked first."""
    state = State(seats, resolve_options(NAME, SEATS, OPTIONS, seats, chosen))
    dealer = state.options["dealer"]
    state.dealer = rng.below(seats) if dealer is None else dealer
    prospectors = PROSPECTORS[:]
    rng.shuffle(prospectors)
    state.types = prospectors[:seats]
    state.cards = CARDS[:]
    rng.shuffle(state.cards)
    list_choices(state)
    state.active = next_seat(state)
    if tell:
        tell("start", state, {"dealer": state.dealer})
    ask(state, TURN_START, state.active, TURNS)
    return state


def play(
    state: State,
    moves: Sequence[str],
    rng: Rng,  # noqa: ARG001  every game gets it; here nothing is random after the deal
    tell: Tell = None,
) -> None:
    """Apply the move of the seat asked, and go on to the next decision."""
    if len(moves) != 1 or moves[0] not in state.moves:
        refuse(state, moves, illegal_reason)
    seat = state.asked[0]
    state.asked = NOBODY
    _PLAY[state.decision](state, seat, moves[0], tell)  # type: ignore[index]


def next_seat(state: State) -> Seat:
    """Return who has the next turn: clockwise, beginning after the dealer."""
    return (state.dealer + 1 + state.turn) % state.n


def _begin_turn(state: State, tell: Tell) -> None:
    if state.turn == state.options["max_turns_per_seat"] * state.n:
        _end(state, tell)
        return
    seat = next_seat(state)
    if state.unique_used[seat]:
        _turn(state, seat, "normal", tell, forced=True)
    else:
        ask(state, TURN_START, seat, TURNS)


def _turn(state: State, seat: Seat, move: str, tell: Tell, forced: bool = False) -> None:
    """Begin a turn; the unique move reveals the prospector and replaces the one exchange."""
    state.turn += 1
    state.active = seat
    state.unique = move == "unique"
    state.exchanges = 0
    if state.unique:
        state.unique_used[seat] = True
    if tell:
        fields = {"seat": seat, "move": move, "forced": forced}
        tell("turn", state, fields | ({"prospector": state.types[seat]} if state.unique else {}))
    ask(state, DRAW, seat, state.drawable[seat])


def _draw(state: State, seat: Seat, move: str, tell: Tell) -> None:
    """Take a card in hand. A draw is never forced: three other rows have a face-down card."""
    state.source = source = _SOURCE[move]
    if tell:
        card = state.cards[source]
        fields = {"seat": seat, "move": move, "forced": False, "card": card}
        knowers = _SEATS[state.knowers[source] | 1 << seat]
        tell("draw", state, fields | {"for": {"card": knowers[:]}})
    moves = ways_to_place(state)
    if len(moves) > 1:
        ask(state, PLACE, seat, moves)
    else:
        _place(state, seat, moves[0], tell, forced=True)


def _place(state: State, seat: Seat, move: str, tell: Tell, forced: bool = False) -> None:
    """Lay the card in hand into the seat's row; the card that lay there fills the gap (R-52)."""
    source = state.source
    assert source is not None
    cards, knowers = state.cards, state.knowers
    card = cards[source]
    is_shown = move == "show"
    slot = NUMBER[card] if is_shown else _SLOT[move]
    own = seat * SERIES + slot - 1
    out = cards[own]
    cards[own], cards[source] = card, out
    # Who knew a card goes on knowing it; the drawer has seen it, and so has everybody if it is
    # shown. The owner of the other row looks at what comes in.
    witnesses = (1 << state.n) - 1 if is_shown else knowers[source] | 1 << seat
    knowers[own], knowers[source] = witnesses, knowers[own] | OWNERS[state.n][source // SERIES]
    state.source = None
    if is_shown:
        state.up[own] = True
        state.missing[seat] -= 1
        list_choices(state)
    if state.unique:
        state.exchanges += 1
    if state.sights:
        for sight in state.sights.values():
            sight.update(own, card, knowers[own], is_shown)
            sight.update(source, out, knowers[source], False)
    if tell:
        fields = {"seat": seat, "move": move, "forced": forced, "slot": slot, "card": card}
        to = [source // SERIES, source % SERIES + 1]
        seats = {} if is_shown else {"card": _SEATS[knowers[own]][:]}
        seats["out"] = _SEATS[knowers[source]][:]
        tell("place", state, fields | {"out": out, "to": to, "for": seats})
    _after_exchange(state, seat, tell)


def _after_exchange(state: State, seat: Seat, tell: Tell) -> None:
    if not state.missing[seat]:
        _end(state, tell)
    elif state.unique and state.exchanges < MAX_EXCHANGES:
        ask(state, UNIQUE_MORE, seat, MORE)
    else:
        _begin_turn(state, tell)


def _more(state: State, seat: Seat, move: str, tell: Tell) -> None:
    if tell:
        tell("more", state, {"seat": seat, "move": move, "forced": False})
    if move == "continue":
        ask(state, DRAW, seat, state.drawable[seat])
    else:
        _begin_turn(state, tell)


_PLAY: dict[str, Callable[[State, Seat, str, Tell], None]] = {
    TURN_START: _turn,
    DRAW: _draw,
    PLACE: _place,
    UNIQUE_MORE: _more,
}


def _end(state: State, tell: Tell) -> None:
    state.decision = None
    state.moves = ()
    if tell:
        result = outcome(state)
        assert result is not None
        places, scores = result.placements, result.scores
        tell("end", state, {"placements": places, "scores": scores, "reason": result.reason})


def outcome(state: State) -> Outcome | None:
    """Place by missing cards: fewer is better, equals share (R-49, R-58)."""
    if state.decision is not None:
        return None
    scores = [-missing for missing in state.missing]
    reason = "limit" if all(state.missing) else "series"
    return Outcome(placements(scores), scores, reason)


def missing_cards(scores: Sequence[int]) -> list[int]:
    """Return the penalty points of a game in a series (R-49)."""
    return [-score for score in scores]


def max_decisions(seats: int, chosen: Mapping[str, Json]) -> int:
    """Return a bound on the decisions of a match."""
    # A turn is begun, and its exchange is a draw and a placement. The unique move adds, once for
    # every seat, two more exchanges and the two decisions to make them.
    further = (MAX_EXCHANGES - 1) * 3
    turns: int = chosen["max_turns_per_seat"]
    return seats * (turns * 3 + further)

"""What a seat may do in Edelsteinsuche, why not, and what is done for a seat that fails."""

import re

from engine.game import NOT_ASKED, Options, Seat, quoted, say_one_of
from engine.games.edelsteinsuche.cards import NAMES, SERIES, title
from engine.games.edelsteinsuche.state import DRAW, PLACE, ROWS, TURN_START, UNIQUE_MORE, State

TURNS = ("normal", "unique")
MORE = ("stop", "continue")
MAX_EXCHANGES = 3
"""In a unique move (R-45)."""


def moves_now(state: State) -> Options:
    """Work out from the position alone what the seat asked may do."""
    if state.decision == TURN_START:
        return TURNS
    if state.decision == DRAW:
        return state.drawable[state.active]
    if state.decision == PLACE:
        return ways_to_place(state)
    return MORE if state.decision == UNIQUE_MORE else ()


def ways_to_place(state: State) -> tuple[str, ...]:
    """Return where the card in hand may go: shown on its number if it is of its type, or hidden.

    Putting it back is not among them (R-44).
    """
    assert state.source is not None
    hides = state.coverable[state.active]
    own = state.cards[state.source][0] == state.types[state.active]
    return ("show", *hides) if own else hides


def illegal_reason(state: State, seat: Seat, move: str) -> str | None:
    """Return why a seat may not make this move now; None if it may."""
    if seat not in state.asked:
        over = state.unique and state.exchanges == MAX_EXCHANGES and seat == state.active
        return f"{NOT_ASKED} A unique move has at most three exchanges." if over else NOT_ASKED
    if move in state.moves:
        return None
    if state.decision == DRAW:
        return _why_not_draw(state, seat, move)
    if state.decision == PLACE:
        return _why_not_place(state, seat, move)
    return say_one_of(move, state.moves)


def _why_not_draw(state: State, seat: Seat, move: str) -> str:
    if move == "unique" and not state.unique:
        if state.unique_used[seat]:
            return "You have played your unique move; there is one in a game."
        return "A unique move is announced at the start of a turn."
    match = re.fullmatch(r"draw ([0-9]{1,3})\.([0-9]{1,3})", move)
    if not match:
        return f"{quoted(move)} is not a move here; say row and slot, such as 'draw 2.4'."
    row, slot = match.groups()
    if row not in _ROWS:
        return f"There is no row {row}; the rows are 0 to 3."
    if slot not in _SLOTS:
        return f"There is no slot {slot}; the slots are 1 to 5."
    if row == str(seat):
        return "You cannot draw from your own row."
    return f"The card in slot {slot} of row {row} lies face up and is safe there."


_ROWS = [str(row) for row in range(ROWS)]
_SLOTS = [str(slot) for slot in range(1, SERIES + 1)]


def _why_not_place(state: State, seat: Seat, move: str) -> str:
    assert state.source is not None
    card = state.cards[state.source]
    word, _, slot = move.partition(" ")
    if word == "show" and card[0] != state.types[seat]:
        return f"You drew {title(card)}; you show {NAMES[state.types[seat]]} cards only."
    if word == "show":
        return f"{title(card)} is shown in slot {card[1]} and nowhere else; say 'show'."
    if word == "hide" and slot in _SLOTS:
        return f"Your slot {slot} lies face up; a shown card stays where it is."
    if word == "draw":
        return "You have drawn a card; place it in your row before anything else."
    return f"{quoted(move)} is not a move here; say 'show', or 'hide' and a slot from 1 to 5."


def fallback(state: State, seat: Seat) -> str:
    """Return the move played for a seat that failed: in this game always the first it has."""
    assert seat in state.asked
    return state.moves[0]

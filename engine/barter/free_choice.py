"""The free choice of a five-seat table: alone trade one gem for two, together take one each."""

import re
from functools import lru_cache
from itertools import combinations_with_replacement

from engine.barter.gems import COLOURS, INDEX, NAMES, ONE, SHIFT, size
from engine.barter.table import T, Table
from engine.game import Listener, Seat, ask, quoted

TRADE = "FREE_TRADE"
PICK = "FREE_PICK"


def choose_freely(state: T, order: list[Seat], tell: Listener[T] | None) -> None:
    """Begin the free choice of these seats, in the order in which they would take."""
    if len(order) > 1:
        state.picking = order
        _go_on_picking(state, tell)
        return
    (seat,) = order
    moves = trades(state.gems[seat], state.supply)
    if len(moves) > 1:
        ask(state, TRADE, seat, moves)
    elif moves:
        trade(state, seat, moves[0], tell, forced=True)


def _go_on_picking(state: T, tell: Listener[T] | None) -> None:
    """Ask the next seat to pick; make forced picks; an empty supply ends it (R-29)."""
    while state.picking:
        moves = picks(state.supply)
        if len(moves) > 1:
            ask(state, PICK, state.picking[0], moves)
            return
        if not moves:
            state.picking = []
            return
        _pick(state, moves[0], True, tell)


def trade(state: T, seat: Seat, move: str, tell: Listener[T] | None, forced: bool = False) -> None:
    """Give one gem and take two."""
    _, give, take = move.split()
    gain = sum(ONE[INDEX[letter]] for letter in take) - ONE[INDEX[give]]
    _gain(state, seat, gain, move, forced, tell)


def pick(state: T, seat: Seat, move: str, tell: Listener[T] | None) -> None:
    """Take one gem; the next seat in order follows."""
    assert seat == state.picking[0]
    _pick(state, move, False, tell)
    _go_on_picking(state, tell)


def _pick(state: T, move: str, forced: bool, tell: Listener[T] | None) -> None:
    seat, *state.picking = state.picking
    _gain(state, seat, ONE[INDEX[move[-1]]], move, forced, tell)


def _gain(
    state: T, seat: Seat, gain: int, move: str, forced: bool, tell: Listener[T] | None
) -> None:
    state.gems[seat] += gain
    state.supply -= gain
    if tell:
        tell("free", state, {"seat": seat, "move": move, "forced": forced})


def picks(supply: int) -> tuple[str, ...]:
    """Return the gems that can be picked, in rank order."""
    return tuple(f"pick {COLOURS[c]}" for c in range(4) if supply >> SHIFT[c] & 31)


def trades(own: int, supply: int) -> tuple[str, ...]:
    """Return all trades by the colour given, then the colours taken, in rank order."""
    owns = tuple(own >> shift & 31 > 0 for shift in SHIFT)
    stock = tuple(min(2, supply >> shift & 31) for shift in SHIFT)
    return _trades(owns, stock)


@lru_cache(maxsize=2048)
def _trades(owns: tuple[bool, ...], stock: tuple[int, ...]) -> tuple[str, ...]:
    """Return the trades; more than two gems of a colour make no difference, so few cases exist."""
    moves = []
    for give in range(4):
        if owns[give]:
            there = [stock[c] + (c == give) for c in range(4)]
            takes = combinations_with_replacement(range(4), min(2, sum(there)))
            moves += [
                f"trade {COLOURS[give]} {''.join(COLOURS[c] for c in take)}"
                for take in takes
                if all(take.count(c) <= there[c] for c in take)
            ]
    return tuple(moves)


def illegal_reason(state: Table, seat: Seat, move: str) -> str:
    """Return the reason that a move which is not legal cannot be made now."""
    if state.decision == TRADE:
        return _why_not_trade(move, state.gems[seat], state.supply)
    letter = move.removeprefix("pick ")
    if move.startswith("pick ") and letter in INDEX:
        return f"There is no {NAMES[INDEX[letter]]} gem left in the supply."
    return f"{quoted(move)} is not a move here; say 'pick' and a colour, such as 'pick R'."


def _why_not_trade(move: str, own: int, supply: int) -> str:
    match = re.fullmatch(r"trade ([RYGB]) ([RYGB]+)", move)
    if not match:
        return (
            f"{quoted(move)} is not a move here; say what you give and take, such as 'trade B RY'."
        )
    give, take = match.groups()
    if not own >> SHIFT[INDEX[give]] & 31:
        return f"You have no {NAMES[INDEX[give]]} gem to give."
    supply += ONE[INDEX[give]]
    due = min(2, size(supply))
    if len(take) != due:
        return f"You take {'two gems' if due == 2 else 'the one gem there is'}, not {len(take)}."
    for letter in take:
        there = supply >> SHIFT[INDEX[letter]] & 31
        if take.count(letter) > there:
            return f"The supply has {there or 'no'} {NAMES[INDEX[letter]]} to take."
    in_order = "".join(sorted(take, key=COLOURS.index))
    return f"Write the colours you take in rank order: 'trade {give} {in_order}'."


def fallback(state: Table, seat: Seat) -> str:
    """Return the trade of the lowest colour held for the highest there is, or the highest pick."""
    if state.decision == PICK:
        return picks(state.supply)[0]
    give = max(c for c in range(4) if state.gems[seat] >> SHIFT[c] & 31)
    supply = state.supply + ONE[give]
    take = ""
    for _ in range(min(2, size(supply))):
        c = next(c for c in range(4) if supply >> SHIFT[c] & 31)
        supply -= ONE[c]
        take += COLOURS[c]
    return f"trade {COLOURS[give]} {take}"

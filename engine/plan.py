"""From the actions chosen in a round to the order in which they are resolved."""

from itertools import product

from engine.game import Seat

Plan = tuple[tuple[str, tuple[Seat, ...]], ...]


def plans(seats: int, actions: tuple[str, ...]) -> dict[tuple[str, ...], Plan]:
    """For all choices there can be: every chosen action, in order, with its choosers."""
    return {moves: _plan(moves, actions) for moves in product(actions, repeat=seats)}


def _plan(moves: tuple[str, ...], actions: tuple[str, ...]) -> Plan:
    choosers = (
        (action, tuple(seat for seat, move in enumerate(moves) if move == action))
        for action in actions
    )
    return tuple((action, seats) for action, seats in choosers if seats)

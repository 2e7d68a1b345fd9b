"""A round of the barter games: from the actions chosen to the order in which they are resolved."""

from collections.abc import Callable, Sequence
from itertools import product

from engine.barter.table import Plan, T, Table
from engine.game import Listener, Seat


def plans(actions: dict[int, tuple[str, ...]]) -> dict[tuple[str, ...], Plan]:
    """Return the plan for every choice there can be by the actions for each number of seats."""
    return {
        moves: _plan(moves, names)
        for seats, names in actions.items()
        for moves in product(names, repeat=seats)
    }


def _plan(moves: tuple[str, ...], actions: tuple[str, ...]) -> Plan:
    """Return what becomes of each action.

    Alone one performs, two barter, and what three or more want lapses; `free` never does.
    """
    plan: Plan = ()
    for action in reversed(actions):
        seats = tuple(seat for seat, move in enumerate(moves) if move == action)
        if seats:
            fate = "free" if action == "free" else _FATE.get(len(seats), "lapse")
            plan = fate, action, seats, plan
    return plan


_FATE = {1: "perform", 2: "barter"}


def choose(state: T, moves: Sequence[str], plan: Plan, tell: Listener[T] | None) -> None:
    """Reveal all choices at once."""
    state.actions = list(moves)
    state.plan = plan
    if tell:
        tell("choose", state, {"moves": list(moves), "forced": [False] * len(moves)})


def resolve(
    state: T,
    perform: Callable[[T, str, Seat, Listener[T] | None], None],
    barter: Callable[[T, str, tuple[Seat, ...], Listener[T] | None], None],
    choose_freely: Callable[[T, tuple[Seat, ...], Listener[T] | None], None],
    tell: Listener[T] | None,
) -> bool:
    """Resolve one action after another until somebody is asked; return whether all are done."""
    while state.plan:
        fate, action, seats, state.plan = state.plan
        if fate == "perform":
            perform(state, action, seats[0], tell)
        elif fate == "barter":
            barter(state, action, seats, tell)
        elif fate == "free":
            choose_freely(state, seats, tell)
        elif tell:
            tell("lapse", state, {"action": action, "seats": list(seats)})
        if state.asked:
            return False
    return True


def resume(state: Table, all_plans: dict[tuple[str, ...], Plan], begun: str) -> None:
    """Put a position back into the round, where this action has begun."""
    plan = all_plans[tuple(action for action in state.actions if action is not None)]
    while plan and plan[1] != begun:
        plan = plan[3]
    state.plan = plan[3] if plan else ()

"""The immediate event cards of Edel, Stein & Reich: their uses, and what each does."""

from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import TypedDict

from engine.barter.gems import COLOURS, INDEX, NAMES, ONE, SHIFT, VALUE, letters
from engine.barter.majority import per_seat, score
from engine.game import Seat, quoted
from engine.games.edel_stein_reich import scoring
from engine.games.edel_stein_reich.state import State

ADJUSTED = {"adjust_red_blue": (0, 3), "adjust_yellow_green": (1, 2)}
ADJUST_TO = 4
TAKE = 3
DECLINE = ("decline",)


def _with_each_colour(verb: str) -> dict[str, tuple[str, ...]]:
    """Return `decline` and the verb with every colour there is, by the letters of these colours."""
    some = ("".join(one) for count in range(5) for one in combinations(COLOURS, count))
    return {held: DECLINE + tuple(f"{verb} {colour}" for colour in held) for held in some}


_SCORES = _with_each_colour("score")
_TAKES = _with_each_colour("take")


class Effect(TypedDict, total=False):
    """What the record adds for a half-value scoring; a value for each seat."""

    paid: list[int]
    returned: list[int]


def uses(state: State, seat: Seat, kind: str) -> tuple[str, ...]:
    """Return `decline`, and every complete use of this card."""
    if kind == "swap_one":
        return _swaps(seat, tuple(map(letters, state.gems)))
    if kind == "strip_each_opponent":
        return _strips(seat, tuple(map(letters, state.gems)))
    if kind == "half_value_scoring":
        return _SCORES[letters(reduce(or_, state.gems))]
    if kind == "take_three":
        return _TAKES[letters(state.supply)]
    return ("decline", "use")


@lru_cache(maxsize=1 << 12)
def _swaps(seat: Seat, held: tuple[str, ...]) -> tuple[str, ...]:
    """Return the swaps by opponent, colour given and colour taken, which must differ (R-12)."""
    return DECLINE + tuple(
        f"swap {give} {opponent} {take}"
        for opponent, theirs in enumerate(held)
        if opponent != seat
        for give, take in product(held[seat], theirs)
        if give != take
    )


@lru_cache(maxsize=1 << 12)
def _strips(seat: Seat, held: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ways to name a colour for every opponent who has a gem (R-56)."""
    losses = [
        [f" {opponent}{colour}" for colour in theirs]
        for opponent, theirs in enumerate(held)
        if opponent != seat and theirs
    ]
    return DECLINE + tuple("strip" + "".join(one) for one in product(*losses) if one)


def use(state: State, seat: Seat, kind: str, move: str) -> Effect:
    """Carry out a legal use, and return what the record adds for it."""
    if move == "decline":
        return {}
    if kind == "half_value_scoring":
        colour = INDEX[move[-1]]
        leaders, pay, back = score(state, state.money, colour, VALUE[colour] // 2)
        paid, returned = per_seat(leaders, pay, state.n), per_seat(leaders, back, state.n)
        return {"paid": paid, "returned": returned}
    if kind in ADJUSTED:
        _adjust(state, seat, ADJUSTED[kind])
    elif kind == "swap_one":
        _, give, opponent, take = move.split()
        gain = ONE[INDEX[take]] - ONE[INDEX[give]]
        state.gems[seat] += gain
        state.gems[int(opponent)] -= gain
    elif kind == "strip_each_opponent":
        losses = [0] * state.n
        for seat_and_colour in move.split()[1:]:
            losses[int(seat_and_colour[0])] = ONE[INDEX[seat_and_colour[1]]]
        scoring.give_back(state, losses)
    elif kind == "take_three":
        colour = INDEX[move[-1]]
        gems = min(TAKE, state.supply >> SHIFT[colour] & 31) << SHIFT[colour]
        state.gems[seat] += gems
        state.supply -= gems
    else:
        scoring.give_back(state, [_half(gems) for gems in state.gems])
    return {}


def _adjust(state: State, seat: Seat, colours: tuple[int, int]) -> None:
    for c in colours:
        shortfall = ADJUST_TO - (state.gems[seat] >> SHIFT[c] & 31)
        change = min(shortfall, state.supply >> SHIFT[c] & 31) << SHIFT[c]
        state.gems[seat] += change
        state.supply -= change


def _half(gems: int) -> int:
    """Return half of each colour, rounded down (R-13)."""
    return gems >> 1 & (15 << 15 | 15 << 10 | 15 << 5 | 15)


def illegal_reason(state: State, seat: Seat, kind: str, move: str) -> str:
    """Return the reason that the card may not be used like this."""
    word, _, rest = move.partition(" ")
    if kind == "swap_one" and word == "swap":
        return _why_not_swap(state, seat, rest)
    if kind == "strip_each_opponent" and word == "strip":
        return "Name one colour that they hold for every opponent with gems, seats ascending."
    if kind == "half_value_scoring" and word == "score" and rest in INDEX:
        return f"Nobody has a {NAMES[INDEX[rest]]} gem to be scored."
    if kind == "take_three" and word == "take" and rest in INDEX:
        return f"There is no {NAMES[INDEX[rest]]} gem left in the supply."
    return f"{quoted(move)} is not a move here; say {_HOW[kind]}."


_HOW = {
    "adjust_red_blue": "'use' or 'decline'",
    "adjust_yellow_green": "'use' or 'decline'",
    "swap_one": "'decline', or what you give, to whom, and what you take, such as 'swap B 2 R'",
    "half_value_scoring": "'decline' or 'score' and a colour, such as 'score G'",
    "strip_each_opponent": "'decline', or 'strip' with seats and colours, such as 'strip 0R 2Y'",
    "take_three": "'decline' or 'take' and a colour, such as 'take G'",
    "everyone_halves": "'use' or 'decline'",
}


def _why_not_swap(state: State, seat: Seat, swap: str) -> str:
    parts = swap.split(" ")
    opponents = [str(other) for other in range(state.n) if other != seat]
    if len(parts) != 3 or parts[0] not in INDEX or parts[2] not in INDEX:
        return f"{quoted('swap ' + swap)} is not a move here; say {_HOW['swap_one']}."
    give, opponent, take = parts
    if opponent not in opponents:
        return f"You can swap with seat {', '.join(opponents[:-1])} or {opponents[-1]}."
    if give == take:
        return "A swap needs two different colours."
    if not state.gems[seat] >> SHIFT[INDEX[give]] & 31:
        return f"You have no {NAMES[INDEX[give]]} gem to give."
    return f"Seat {opponent} has no {NAMES[INDEX[take]]} gem to take."

"""Barter between two seats: offers rise until one is accepted, and whose offer was accepted acts.

Who opens, whether the opener may decline, and what the action brings is up to the game.
"""

from collections.abc import Callable

from engine.barter import narration
from engine.barter.gems import NAMES, ONE, SHIFT, unpack
from engine.barter.offers import NO_OFFER, Offers, offer_key, offer_text, parse_offer
from engine.barter.table import Barter, T, Table
from engine.game import Listener, Seat, quoted

OPEN = "BARTER_OPEN"
SINGLE = "BARTER_SINGLE"
REPLY = "BARTER_REPLY"

ACCEPT = ("accept",)
DECLINE = ("decline",)

Perform = Callable[[T, str, Seat, Listener[T] | None], None]
"""What a game does when a seat performs an action."""

_GEMS = 0xFFFFF
_COUNT_WORDS = "none one two three four five six seven eight nine ten eleven twelve".split()


def deciding_key(names: tuple[str, ...], one: tuple[int, ...], other: tuple[int, ...]) -> str:
    """Return the name of the first key in which two seats differ; their ages always do."""
    return next(name for name, a, b in zip(names, one, other, strict=True) if a != b)


def begin(
    state: T,
    action: str,
    seats: tuple[Seat, ...],
    opener: Seat,
    why: str,
    tell: Listener[T] | None,
) -> None:
    """Begin a barter: two seats want the same action, and the opener will speak first."""
    state.barter = Barter(action, seats, opener)
    if tell:
        fields = {"action": action, "seats": list(seats), "opener": opener, "why": why}
        tell("barter", state, fields)


def say(
    perform: Perform[T],
    state: T,
    seat: Seat,
    move: str,
    tell: Listener[T] | None,
    forced: bool = False,
) -> None:
    """Accept, or offer and let the other answer; once it is settled, the winner performs."""
    barter = state.barter
    assert barter is not None
    if move == "accept":
        _accept(perform, state, barter, False, tell)
        return
    standing = barter.offer
    offers: Offers = state.moves  # type: ignore[assignment]
    barter.offer = key = offers.last_key if move is offers.last else parse_offer(move)
    barter.by = seat
    barter.offers = said = barter.offers + 1
    one, other = barter.seats
    barter.to_answer = answerer = other if seat == one else one
    if tell:
        by = _why_higher(key, standing)
        tell("offer", state, {"seat": seat, "move": move, "forced": forced, "by": by})
    moves = Offers(ACCEPT, state.gems[answerer], key)
    if moves.count == 1 or said >= state.options["max_offers"]:
        _accept(perform, state, barter, True, tell)
        return
    state.decision = REPLY
    state.asked = (answerer,)
    state.moves = moves


def offer_single(
    perform: Perform[T], state: T, seat: Seat, move: str, tell: Listener[T] | None
) -> None:
    """Offer one gem after a declined opening; the opener must take it."""
    barter = state.barter
    assert barter is not None
    barter.offer = parse_offer(move)
    barter.by = seat
    barter.offers += 1
    barter.to_answer = barter.opener
    if tell:
        tell("offer", state, {"seat": seat, "move": move, "forced": False, "by": "single"})
    _accept(perform, state, barter, True, tell)


def _why_higher(key: int, standing: int) -> str:
    if not standing:
        return "opening"
    return "number" if key >> 20 > standing >> 20 else "value"


def _accept(
    perform: Perform[T], state: T, barter: Barter, forced: bool, tell: Listener[T] | None
) -> None:
    """Hand over the gems on the table; whose gems they were performs the action (R-19)."""
    taker, giver = barter.to_answer, barter.by
    assert giver is not None
    gems = barter.offer & _GEMS
    state.gems[giver] -= gems
    state.gems[taker] += gems
    state.barter = None
    if tell:
        fields = {"seat": taker, "move": "accept", "forced": forced, "gems": unpack(gems)}
        tell("accept", state, {**fields, "to": taker, "from": giver})
    perform(state, barter.action, giver, tell)


def single_offers(own: int) -> tuple[str, ...]:
    """Return `decline`, and one gem of each colour held, from the lowest to the highest."""
    colours = [ONE[c] for c in (3, 2, 1, 0) if own >> SHIFT[c] & 31]
    return DECLINE + tuple(offer_text(offer_key(gem)) for gem in colours)


def replies(state: Table, own: int) -> Offers:
    """Return the answers to the standing offer: accept it, or make a higher one."""
    assert state.barter is not None
    return Offers(ACCEPT, own, state.barter.offer)


def illegal_reason(state: Table, move: str) -> str:
    """Return the reason that a move which is not legal may not be said now."""
    if state.decision == SINGLE:
        return f"{quoted(move)} is not a move here; say 'decline', or offer one gem that you have."
    offers = state.moves
    assert isinstance(offers, Offers)
    key = parse_offer(move)
    if key == NO_OFFER:
        words = "".join(f"{word!r} or " for word in offers.first)
        return f"{quoted(move)} is not a move here; say {words}'offer R.Y.G.B' with four counts."
    needed, have = unpack(key & _GEMS), unpack(offers.own)
    for c, name in enumerate(NAMES):
        if needed[c] > have[c]:
            return f"The offer needs {needed[c]} {name} and you have {have[c]}."
    return _not_higher(offers.above) if offers.above else "An offer needs at least one gem."


def _not_higher(standing: int) -> str:
    gems = unpack(standing & _GEMS)
    count = standing >> 20
    many = _COUNT_WORDS[count] if count < len(_COUNT_WORDS) else str(count)
    verb = "is" if sum(map(bool, gems)) == 1 else "are"
    return (
        f"{narration.gems(gems)} {verb} on the table; "
        f"a higher offer needs more gems, or {many} of higher value."
    )

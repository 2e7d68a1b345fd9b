"""Moves as actions: every legal move is said as one to four actions of a small fixed alphabet.

A quarter of a million offers do not fit into a network's last layer, so a move that has parts is
said part by part: `offer 1.0.2.0` as four counts, `swap B 2 R` as colour, opponent, colour. After
each part only those actions are legal that some legal move goes on with, so every legal move can be
said and nothing else.
"""

from functools import lru_cache

from engine.barter.gems import COLOURS, PER_COLOUR, pack, unpack
from engine.barter.offers import Offers, offer_key, offer_text
from engine.game import Options, Seat

Said = tuple[str, ...]
"""The actions that have been said of a move so far."""

_COUNTS = tuple(f"count {count}" for count in range(PER_COLOUR + 1))
_OPPONENTS = tuple(f"opponent {steps}" for steps in range(1, 5))
"""Counted clockwise: opponent 1 is the left-hand neighbour."""
_ROWS = 4
_SLOTS = "12345"

ALPHABETS: dict[str, Said] = {
    "edel-stein-reich": (
        *("money", "event", "gems", "free", "accept", "decline", "open", "hidden", "use"),
        *COLOURS,
        *_OPPONENTS,
        *_COUNTS,
    ),
    "basari": ("workers", "points", "gems", "free", "accept", *COLOURS, *_COUNTS),
    "edelsteinsuche": (
        *("normal", "unique", "show", "stop", "continue"),
        *(f"hide {slot}" for slot in _SLOTS),
        *(f"draw {row}.{slot}" for row in range(1, _ROWS) for slot in _SLOTS),
    ),
}
"""The actions of each game; an action's number is its place here."""


def next_actions(options: Options, said: Said, seat: Seat, seats: int) -> dict[str, str | None]:
    """What can be said next, each with the move that is then complete, or None if it goes on."""
    if isinstance(options, Offers):
        return _next_of_offer(options, said)
    at = len(said)
    found: dict[str, str | None] = {}
    for move in options:
        parts = spell(move, seat, seats)
        if parts[:at] == said:
            found[parts[at]] = move if len(parts) == at + 1 else None
    return found


def _next_of_offer(offers: Offers, said: Said) -> dict[str, str | None]:
    """Red, yellow, green, blue: a count will do if, with all of the later colours, it is enough."""
    own = unpack(offers.own)
    colour = len(said)
    counts = [int(part.removeprefix("count ")) for part in said]
    found: dict[str, str | None] = {} if said else {word: word for word in offers.first}
    for count in range(own[colour] + 1):
        key = offer_key(pack([*counts, count, *own[colour + 1 :]]))
        if key > offers.above:
            found[_COUNTS[count]] = offer_text(key) if colour == len(own) - 1 else None
    return found


@lru_cache(maxsize=1 << 14)
def spell(move: str, seat: Seat, seats: int) -> Said:
    """The actions of a move of this seat. Opponents and rows are counted from the seat."""
    word, _, rest = move.partition(" ")
    if word == "offer":
        return tuple(f"count {count}" for count in rest.split("."))
    if word in ("pick", "take", "score"):
        return (rest,)
    if word == "trade":
        return tuple(rest.replace(" ", ""))
    if word == "strip":
        return tuple(named[1] for named in rest.split())
    if word == "swap":
        give, opponent, take = rest.split()
        return give, f"opponent {(int(opponent) - seat) % seats}", take
    if word == "draw":
        row, slot = rest.split(".")
        return (f"draw {rows_from(seat, seats).index(int(row))}.{slot}",)
    return (move,)


@lru_cache
def rows_from(seat: Seat, seats: int) -> list[int]:
    """The rows of Edelsteinsuche from a seat: its own, its opponents' clockwise, the avatars'."""
    return [*((seat + step) % seats for step in range(seats)), *range(seats, _ROWS)]

"""What can be seen of a position of Edelsteinsuche, and positions imagined from it."""

from typing import Any

from engine.game import PUBLIC, Seat, View
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS, SERIES
from engine.games.edelsteinsuche.moves import moves_now
from engine.games.edelsteinsuche.state import PLACES, State, list_choices
from engine.rng import Rng

_BITS = (1, 2, 4, 8)
"""The bit of each seat among the knowers of a card."""


def view(state: State, seat: Seat | None = None) -> View:
    """All that lies on the table, or what a seat, or the public, can know of it."""
    up, knowers, source = state.up, state.knowers, state.source
    cards: list[str | None] = [*state.cards]
    if seat == PUBLIC:
        cards = [card if shown else None for card, shown in zip(cards, up, strict=True)]
    elif seat is not None:
        own = 1 << seat
        cards = [card if bits & own else None for card, bits in zip(cards, knowers, strict=True)]
    known = list(zip(cards, knowers, strict=True))
    hand = None
    if source is not None:
        hand = state.cards[source] if seat == state.active else cards[source]
        cards[source] = None
    seen: View = {
        "turn": state.turn,
        "active": state.active,
        "dealer": state.dealer,
        "rows": _rows([{"card": c, "up": shown} for c, shown in zip(cards, up, strict=True)]),
        "hand": hand,
        "seats": _seats(state, seat),
        "known": [
            _rows([card if bits & bit else None for card, bits in known])
            for bit in _BITS[: state.n]
        ],
    }
    if seat is not None and seat != PUBLIC:
        seen |= _for_a_seat(state, seat)
    return seen


def _rows(places: list[Any]) -> list[list[Any]]:
    return [places[:5], places[5:10], places[10:15], places[15:]]


def _seats(state: State, seat: Seat | None) -> list[dict[str, Any]]:
    """A prospector is seen by its owner, and by all once the unique move has revealed it."""
    return [
        {
            "type": state.types[q] if used or seat is None or seat == q else None,
            "revealed": used,
            "unique_used": used,
            "missing": state.missing[q],
        }
        for q, used in enumerate(state.unique_used)
    ]


def _for_a_seat(state: State, seat: Seat) -> View:
    """What is asked, and the public course of the running turn.

    `seen` says of each seat which places it knows. It is public because all movements are, and it
    lets a position be imagined in which the others know what they know.
    """
    source = state.source
    return {
        "seat": seat,
        "decision": state.decision,
        "asked": list(state.asked),
        "unique": state.unique,
        "draws": state.exchanges,
        "drawn_from": None if source is None else [source // SERIES, source % SERIES + 1],
        "seen": [_rows([bits & bit > 0 for bits in state.knowers]) for bit in _BITS[: state.n]],
        "variant": state.options.copy(),
    }


def imagine(seen: View, rng: Rng) -> State:
    """A position this seat's view allows: cards and prospectors it cannot know are dealt anew."""
    seats = seen["seats"]
    state = State(len(seats), dict(seen["variant"]))
    state.dealer = seen["dealer"]
    state.turn = seen["turn"]
    state.active = seen["active"]
    state.unique = seen["unique"]
    state.exchanges = seen["draws"]
    state.unique_used = [one["unique_used"] for one in seats]
    state.missing = [one["missing"] for one in seats]
    state.up = [slot["up"] for row in seen["rows"] for slot in row]
    tables = [[known for row in table for known in row] for table in seen["seen"]]
    state.knowers = [sum(table[at] << q for q, table in enumerate(tables)) for at in range(PLACES)]
    if seen["drawn_from"]:
        row, slot = seen["drawn_from"]
        state.source = row * SERIES + slot - 1
    list_choices(state)
    _deal_prospectors(state, seen, rng)
    _deal_cards(state, seen, rng)
    state.decision = seen["decision"]
    state.asked = tuple(seen["asked"])
    state.moves = moves_now(state)
    return state


def _deal_prospectors(state: State, seen: View, rng: Rng) -> None:
    """A seat that has shown cards has given its type away; the rest are equally likely."""
    types = [one["type"] for one in seen["seats"]]
    for seat, row in enumerate(seen["rows"][: state.n]):
        types[seat] = next((slot["card"][0] for slot in row if slot["up"]), types[seat])
    unseen = [gem for gem in PROSPECTORS if gem not in types]
    rng.shuffle(unseen)
    state.types = [gem or unseen.pop() for gem in types]


def _deal_cards(state: State, seen: View, rng: Rng) -> None:
    cards: list[str | None] = [card for row in seen["known"][seen["seat"]] for card in row]
    source = state.source
    if source is not None and cards[source] is None:
        cards[source] = seen["hand"] or _only_card_in_hand(state)
    unseen = [card for card in CARDS if card not in cards]
    rng.shuffle(unseen)
    state.cards = [card or unseen.pop() for card in cards]


def _only_card_in_hand(state: State) -> str | None:
    """The drawer's last missing card, if that is all it lacks: with any other it had no choice."""
    hides = state.coverable[state.active]
    return state.types[state.active] + hides[0][-1] if len(hides) == 1 else None

"""What can be seen of a position of Edelsteinsuche, and positions imagined from it."""

from typing import TypedDict, TypeVar, cast

from engine.game import PUBLIC, Json, Seat, View
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS, SERIES
from engine.games.edelsteinsuche.moves import moves_now
from engine.games.edelsteinsuche.state import PLACES, State, list_choices
from engine.rng import Rng

_BITS = (1, 2, 4, 8)
"""The bit of each seat among the knowers of a card."""


T = TypeVar("T")
Rows = list[list[T]]
"""Something for each slot of the four rows."""


class Slot(TypedDict):
    """A place in a row; the card is hidden from some, and away while it is in a hand."""

    card: str | None
    up: bool


class SeatPart(TypedDict):
    """What is known of a seat."""

    type: str | None
    revealed: bool
    unique_used: bool
    missing: int


class TableView(TypedDict):
    """What lies on the table; what the viewer may not know is null."""

    turn: int
    active: Seat
    dealer: Seat
    rows: Rows[Slot]
    hand: str | None
    seats: list[SeatPart]
    known: list[Rows[str | None]]


class TurnView(TypedDict):
    """What a seat's view has besides the table: what is asked, and the running turn.

    `seen` says of each seat which places it knows. It is public because all movements are, and it
    lets a position be imagined in which the others know what they know.
    """

    seat: Seat
    decision: str | None
    asked: list[Seat]
    unique: bool
    draws: int
    drawn_from: list[int] | None
    seen: list[Rows[bool]]
    variant: dict[str, Json]


class SeatView(TableView, TurnView):
    """The table as a seat sees it."""


def view(state: State, seat: Seat | None = None) -> View:
    """Return all that lies on the table, or what a seat, or the public, can know of it."""
    up, knowers, source = state.up, state.knowers, state.source
    cards: list[str | None] = [*state.cards]
    if seat == PUBLIC:
        cards = [card if is_up else None for card, is_up in zip(cards, up, strict=True)]
    elif seat is not None:
        own = 1 << seat
        cards = [card if bits & own else None for card, bits in zip(cards, knowers, strict=True)]
    places = list(zip(cards, knowers, strict=True))
    hand = None
    if source is not None:
        hand = state.cards[source] if seat == state.active else cards[source]
        cards[source] = None
    table: TableView = {
        "turn": state.turn,
        "active": state.active,
        "dealer": state.dealer,
        "rows": _rows([{"card": c, "up": is_up} for c, is_up in zip(cards, up, strict=True)]),
        "hand": hand,
        "seats": _seats(state, seat),
        "known": [
            _rows([card if bits & bit else None for card, bits in places])
            for bit in _BITS[: state.n]
        ],
    }
    own_view = cast("View", table)
    if seat is not None and seat != PUBLIC:
        own_view |= _turn(state, seat)
    return own_view


def _rows(places: list[T]) -> Rows[T]:
    return [places[:5], places[5:10], places[10:15], places[15:]]


def _seats(state: State, seat: Seat | None) -> list[SeatPart]:
    """Show a prospector to its owner, and to all once the unique move has revealed it."""
    return [
        {
            "type": state.types[q] if used or seat is None or seat == q else None,
            "revealed": used,
            "unique_used": used,
            "missing": state.missing[q],
        }
        for q, used in enumerate(state.unique_used)
    ]


def _turn(state: State, seat: Seat) -> TurnView:
    """Return what is asked, and the public course of the running turn."""
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


def imagine(own_view: View, rng: Rng) -> State:
    """Return a position this seat's view allows: what it cannot know is dealt anew."""
    table = cast("SeatView", own_view)
    seats = table["seats"]
    state = State(len(seats), dict(table["variant"]))
    state.dealer = table["dealer"]
    state.turn = table["turn"]
    state.active = table["active"]
    state.unique = table["unique"]
    state.exchanges = table["draws"]
    state.unique_used = [one["unique_used"] for one in seats]
    state.missing = [one["missing"] for one in seats]
    state.up = [slot["up"] for row in table["rows"] for slot in row]
    knows = [[known for row in rows for known in row] for rows in table["seen"]]
    state.knowers = [sum(own[at] << q for q, own in enumerate(knows)) for at in range(PLACES)]
    if table["drawn_from"]:
        row_number, slot_number = table["drawn_from"]
        state.source = row_number * SERIES + slot_number - 1
    list_choices(state)
    _deal_prospectors(state, table, rng)
    _deal_cards(state, table, rng)
    state.decision = table["decision"]
    state.asked = tuple(table["asked"])
    state.moves = moves_now(state)
    return state


def _deal_prospectors(state: State, table: SeatView, rng: Rng) -> None:
    """Deal the types of others; who has shown cards gave theirs away, the rest is by chance."""
    types = [one["type"] for one in table["seats"]]
    for seat, row in enumerate(table["rows"][: state.n]):
        cards = (slot["card"] for slot in row if slot["up"])
        types[seat] = next((card[0] for card in cards if card), types[seat])
    unseen = [gem for gem in PROSPECTORS if gem not in types]
    rng.shuffle(unseen)
    state.types = [gem or unseen.pop() for gem in types]


def _deal_cards(state: State, table: SeatView, rng: Rng) -> None:
    cards = [card for row in table["known"][table["seat"]] for card in row]
    source = state.source
    if source is not None and cards[source] is None:
        cards[source] = table["hand"] or _only_card_in_hand(state)
    unseen = [card for card in CARDS if card not in cards]
    rng.shuffle(unseen)
    state.cards = [card or unseen.pop() for card in cards]


def _only_card_in_hand(state: State) -> str | None:
    """Return the drawer's last card if it lacks just one: with any other it had no choice."""
    hides = state.coverable[state.active]
    return state.types[state.active] + hides[0][-1] if len(hides) == 1 else None

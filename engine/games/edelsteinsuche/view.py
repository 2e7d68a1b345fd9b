"""What can be seen of a position of Edelsteinsuche, and positions imagined from it."""

from operator import itemgetter
from typing import TypedDict, TypeVar, cast

from engine.game import PUBLIC, Json, Seat, View
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS, SERIES
from engine.games.edelsteinsuche.moves import moves_now
from engine.games.edelsteinsuche.sight import Sight
from engine.games.edelsteinsuche.state import PLACES, State, list_choices
from engine.rng import Rng

_rows = itemgetter(*(slice(at, at + SERIES) for at in range(0, PLACES, SERIES)))
"""Returns a copy of what each of the four rows has in a list of all places."""
_copy = dict.copy

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
    n, source, sight = state.n, state.source, _sight(state, seat)
    slots = [*map(_copy, sight.slots)]
    tables = [[a.copy(), b.copy(), c.copy(), d.copy()] for a, b, c, d in sight.tables]
    hand = None
    if source is not None:
        hand = state.cards[source] if seat == state.active else slots[source]["card"]
        slots[source]["card"] = None
    own_view: View = {
        "turn": state.turn,
        "active": state.active,
        "dealer": state.dealer,
        "rows": [*_rows(slots)],
        "hand": hand,
        "seats": _seats(state, seat),
        "known": tables[:n],
    }
    if seat is not None and seat != PUBLIC:
        # What is asked, and the public course of the running turn.
        own_view["seat"] = seat
        own_view["decision"] = state.decision
        own_view["asked"] = [*state.asked]
        own_view["unique"] = state.unique
        own_view["draws"] = state.exchanges
        own_view["drawn_from"] = None if source is None else [source // SERIES, source % SERIES + 1]
        own_view["seen"] = tables[n:]
        own_view["variant"] = state.options.copy()
    return own_view


def _sight(state: State, seat: Seat | None) -> Sight:
    """Return what a seat sees of the places. The public knows as many cards as lie face up."""
    if seat == PUBLIC:
        shown = [card if up else None for card, up in zip(state.cards, state.up, strict=True)]
        return Sight(state.n, None, shown, state.knowers, state.up)
    sight = state.sights.get(seat)
    if sight is None:
        sight = Sight(state.n, seat, state.cards, state.knowers, state.up)
        state.sights[seat] = sight
    return sight


def _seats(state: State, seat: Seat | None) -> list[SeatPart]:
    """Show a prospector to its owner, and to all once the unique move has revealed it."""
    types, missing = state.types, state.missing
    return [
        {
            "type": types[q] if used or seat is None or seat == q else None,
            "revealed": used,
            "unique_used": used,
            "missing": missing[q],
        }
        for q, used in enumerate(state.unique_used)
    ]


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

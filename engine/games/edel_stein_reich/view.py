"""What can be seen of a position of Edel, Stein & Reich, and positions imagined from it."""

from typing import cast

from engine.barter import free_choice
from engine.barter.gems import unpack
from engine.barter.round_plan import resume
from engine.barter.table import CHOOSE
from engine.barter.views import Holdings, SharedSeatView, SharedTable
from engine.game import PUBLIC, Seat, View
from engine.games.edel_stein_reich.cards import EVENT_DECK, GEM_DECK
from engine.games.edel_stein_reich.moves import moves_now
from engine.games.edel_stein_reich.rules import PLANS
from engine.games.edel_stein_reich.state import ASIDE, SOURCE, USE, State
from engine.rng import Rng


class SeatPart(Holdings):
    """A seat's part of the table."""

    money: int
    held: list[str]


class TableView(SharedTable[SeatPart]):
    """What everybody sees."""

    phase: int
    event: str | None
    aside: str | None
    gem_pile: int
    event_pile: int


class SeatView(TableView, SharedSeatView[SeatPart]):
    """The table as a seat sees it, with the cards gone by."""

    used_cards: list[str]
    event_discards: list[str]
    using: str | None


def view(state: State, seat: Seat | None = None) -> View:
    """Return the table; for a seat, with what it is asked and the cards gone by."""
    table: TableView = {
        "phase": state.phase,
        "round": state.round,
        "supply": unpack(state.supply),
        "event": state.event,
        "aside": state.aside,
        "gem_pile": len(state.gem_pile),
        "event_pile": len(state.event_pile) + len(state.discards),
        "age_rank": state.age_rank[:],
        "seats": [
            {
                "gems": [gems >> 15, gems >> 10 & 31, gems >> 5 & 31, gems & 31],
                "money": money,
                "held": held[:],
                "card": card,
                "action": action,
            }
            for gems, money, held, card, action in zip(
                state.gems, state.money, state.held, state.cards, state.actions, strict=True
            )
        ],
        "barter": state.barter.view() if state.barter else None,
    }
    own_view = cast("View", table)
    if seat is not None and seat != PUBLIC:
        own_view |= state.asking(seat)
        own_view["used_cards"] = state.used[:]
        own_view["event_discards"] = state.discards[:]
        own_view["using"] = state.using
    return own_view


def imagine(own_view: View, rng: Rng) -> State:
    """Return a position this seat's view allows: whatever lies face down is dealt anew."""
    table = cast("SeatView", own_view)
    state = State(len(table["seats"]), dict(table["variant"]))
    state.restore(table)
    state.phase = table["phase"]
    state.money = [seat["money"] for seat in table["seats"]]
    state.held = [seat["held"][:] for seat in table["seats"]]
    state.event = table["event"]
    state.aside = table["aside"]
    state.used = table["used_cards"][:]
    state.discards = table["event_discards"][:]
    state.using = table["using"]
    _deal_gem_cards(state, rng)
    _deal_event_cards(state, rng)
    _resume(state)
    return state


def _deal_gem_cards(state: State, rng: Rng) -> None:
    visible = {state.aside, *state.used, *state.cards}
    unseen = [card for card in GEM_DECK if card not in visible]
    rng.shuffle(unseen)
    if state.aside is not None:
        below = ASIDE[state.n] - 1
        state.set_aside = [*unseen[:below], state.aside]
        unseen = unseen[below:]
    state.gem_pile = unseen


def _deal_event_cards(state: State, rng: Rng) -> None:
    held = [card for cards in state.held for card in cards]
    visible = {state.event, state.using, *held, *state.discards}
    state.event_pile = [card for card in EVENT_DECK if card not in visible]
    rng.shuffle(state.event_pile)


def _resume(state: State) -> None:
    """Go on with the round where the view stands."""
    state.moves = moves_now(state)
    if state.decision is not None and state.decision != CHOOSE:
        begun = state.barter.action if state.barter else _ACTION_OF[state.decision]
        resume(state, PLANS, begun)


_ACTION_OF = {SOURCE: "event", USE: "event", free_choice.TRADE: "free", free_choice.PICK: "free"}

"""What can be seen of a position of Edel, Stein & Reich, and positions imagined from it."""

from engine.barter import free_choice
from engine.barter.gems import unpack
from engine.barter.round_plan import resume
from engine.barter.table import CHOOSE
from engine.game import PUBLIC, Seat, View
from engine.games.edel_stein_reich.cards import EVENT_DECK, GEM_DECK
from engine.games.edel_stein_reich.moves import moves_now
from engine.games.edel_stein_reich.rules import PLANS
from engine.games.edel_stein_reich.state import ASIDE, SOURCE, USE, State
from engine.rng import Rng


def view(state: State, seat: Seat | None = None) -> View:
    """The table as spectators see it; for a seat, with what it is asked and the cards gone by."""
    seen: View = {
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
    if seat is not None and seat != PUBLIC:
        seen |= state.asking(seat)
        seen["used_cards"] = state.used[:]
        seen["event_discards"] = state.discards[:]
        seen["using"] = state.using
    return seen


def imagine(seen: View, rng: Rng) -> State:
    """A position this seat's view allows: whatever lies face down is dealt anew."""
    state = State(len(seen["seats"]), dict(seen["variant"]))
    state.restore(seen)
    state.phase = seen["phase"]
    state.money = [seat["money"] for seat in seen["seats"]]
    state.held = [seat["held"][:] for seat in seen["seats"]]
    state.event = seen["event"]
    state.aside = seen["aside"]
    state.used = seen["used_cards"][:]
    state.discards = seen["event_discards"][:]
    state.using = seen["using"]
    _deal_gem_cards(state, rng)
    _deal_event_cards(state, rng)
    _resume(state)
    return state


def _deal_gem_cards(state: State, rng: Rng) -> None:
    seen = {state.aside, *state.used, *state.cards}
    unseen = [card for card in GEM_DECK if card not in seen]
    rng.shuffle(unseen)
    if state.aside is not None:
        below = ASIDE[state.n] - 1
        state.set_aside = [*unseen[:below], state.aside]
        unseen = unseen[below:]
    state.gem_pile = unseen


def _deal_event_cards(state: State, rng: Rng) -> None:
    held = [card for cards in state.held for card in cards]
    seen = {state.event, state.using, *held, *state.discards}
    state.event_pile = [card for card in EVENT_DECK if card not in seen]
    rng.shuffle(state.event_pile)


def _resume(state: State) -> None:
    """Go on with the round where the view stands."""
    state.moves = moves_now(state)
    if state.decision is not None and state.decision != CHOOSE:
        begun = state.barter.action if state.barter else _ACTION_OF[state.decision]
        resume(state, PLANS, begun)


_ACTION_OF = {SOURCE: "event", USE: "event", free_choice.TRADE: "free", free_choice.PICK: "free"}

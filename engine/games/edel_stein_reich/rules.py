"""The course of Edel, Stein & Reich: phases, rounds, choices and what they lead to."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from engine.barter import bargaining, free_choice
from engine.barter.gems import ONE, SHIFT, common, fits, same, size, unpack
from engine.barter.offers import Offers
from engine.barter.round_plan import choose, plans, resolve
from engine.barter.table import CHOOSE
from engine.game import (
    NOBODY,
    Json,
    Outcome,
    Seat,
    ask,
    placements,
    refuse,
    resolve_options,
)
from engine.games.edel_stein_reich import events, scoring
from engine.games.edel_stein_reich.cards import EVENT, EVENT_DECK, GEM_DECK, GEMS, IMMEDIATE, MONEY
from engine.games.edel_stein_reich.moves import ACTIONS, SOURCES, illegal_reason
from engine.games.edel_stein_reich.state import (
    ASIDE,
    OPTIONS,
    PHASES,
    ROUNDS,
    SEATS,
    SOURCE,
    USE,
    State,
    Tell,
)
from engine.rng import Rng

NAME = "Edel, Stein & Reich"

LOW_SUPPLY = 5
_ENOUGH = same(LOW_SUPPLY + 1)
OPENING_KEYS = ("red", "yellow", "green", "blue", "money", "age")

_EVERYBODY = {n: tuple(range(n)) for n in SEATS}
_TOP = {n: slice(None, -n - 1, -1) for n in SEATS}
"""A card for everybody from the end of a pile, the last one first."""
_DEALT = {n: slice(-n, None) for n in SEATS}
"""The same where they lie."""
PLANS = plans(ACTIONS)


def start(seats: int, chosen: Mapping[str, Json], rng: Rng, tell: Tell = None) -> State:
    """Set the table, and play on to the first choice of actions."""
    state = State(seats, resolve_options(NAME, SEATS, OPTIONS, seats, chosen))
    rng.shuffle(state.age_rank)
    state.event_pile = _shuffled(EVENT_DECK, rng)
    state.gem_pile = GEM_DECK[:]
    if tell:
        tell("start", state, {})
    _start_phase(state, rng, tell)
    return state


def play(state: State, moves: Sequence[str], rng: Rng, tell: Tell = None) -> None:
    """Apply one move for each seat asked, and go on to the next decision."""
    decision = state.decision
    if decision == CHOOSE:
        plan = PLANS.get(tuple(moves))
        if plan is None or len(moves) != state.n:
            refuse(state, moves, illegal_reason)
        state.asked = NOBODY
        choose(state, moves, plan, tell)
    elif decision == bargaining.REPLY or decision == bargaining.OPEN:
        _bargain(state, moves, tell)
    else:
        if len(moves) != 1 or (move := moves[0]) not in state.moves:
            refuse(state, moves, illegal_reason)
        (seat,) = state.asked
        state.asked = NOBODY
        if decision == SOURCE:
            _source(state, seat, move, rng, tell)
        else:
            _PLAY[decision](state, seat, move, tell)  # type: ignore[index]
    if not state.asked and resolve(state, _perform, _barter, _choose_freely, tell):
        _end_round(state, rng, tell)


def _shuffled(deck: list[str], rng: Rng) -> list[str]:
    """Return a face-down pile of these cards; its top is the end of the list."""
    pile = deck[:]
    rng.shuffle(pile)
    pile.reverse()
    return pile


def _start_phase(state: State, rng: Rng, tell: Tell) -> None:
    state.phase += 1
    state.round = 0
    returned = _return_scarce_gems(state)
    state.gem_pile = pile = _shuffled(GEM_DECK, rng)
    rest = len(pile) - ASIDE[state.n]
    state.set_aside = pile[: rest - 1 : -1]
    del pile[rest:]
    state.aside = state.set_aside[-1] if state.set_aside else None
    state.used = []
    if tell:
        back = [unpack(gems) for gems in returned]
        tell("phase", state, {"phase": state.phase, "returned": back, "aside": state.aside})
    _deal(state, rng, tell)


def _return_scarce_gems(state: State) -> list[int]:
    """Take one gem of every holder of a colour of which at most five are left (R-23)."""
    if fits(_ENOUGH, state.supply):
        return [0] * state.n
    scarce = [c for c in range(4) if state.supply >> SHIFT[c] & 31 <= LOW_SUPPLY]
    returned = [sum(ONE[c] for c in scarce if gems >> SHIFT[c] & 31) for gems in state.gems]
    scoring.give_back(state, returned)
    return returned


def _deal(state: State, rng: Rng, tell: Tell) -> None:
    n, pile = state.n, state.gem_pile
    state.round += 1
    state.cards = pile[_TOP[n]]  # type: ignore[assignment]
    del pile[_DEALT[n]]
    if len(state.event_pile) > 1:
        state.event, reshuffled = state.event_pile.pop(), False
    else:
        state.event, reshuffled = _draw_event(state, rng)
    state.decision = CHOOSE
    state.asked = _EVERYBODY[n]
    state.moves = ACTIONS[n]
    if tell:
        fields = {"cards": state.cards[:], "event": state.event, "reshuffled": reshuffled}
        tell("deal", state, fields)


def _draw_event(state: State, rng: Rng) -> tuple[str, bool]:
    """Return the top event card, and whether the pile was shuffled.

    It is if a face-up card lies on top: eagerly as soon as such a card shows, lazily when the next
    card is needed (R-06).
    """
    pile = state.event_pile
    if len(pile) > 1:
        return pile.pop(), False
    reshuffled = not state.event_pile and _reshuffle(state, rng)
    card = state.event_pile.pop()
    if not state.event_pile and state.options["event_reshuffle"] == "eager":
        reshuffled = _reshuffle(state, rng)
    return card, reshuffled


def _reshuffle(state: State, rng: Rng) -> bool:
    state.event_pile = _shuffled(state.discards, rng)
    state.discards = []
    return True


def _choose_freely(state: State, seats: tuple[Seat, ...], tell: Tell) -> None:
    """Fix the order before the first gem is taken: fewest first, as in a barter (R-29)."""
    order = sorted(seats, key=partial(_opening_key, state))
    free_choice.choose_freely(state, order, tell)


def _perform(state: State, action: str, seat: Seat, tell: Tell) -> None:
    """Use the seat's own card, also after a barter."""
    if action == "event":
        state.decision = SOURCE
        state.asked = (seat,)
        state.moves = SOURCES
        return
    card = state.cards[seat]
    assert card is not None
    gained: int | list[int]
    if action == "money":
        gained = MONEY[card]
        state.money[seat] += gained
    else:
        gems = common(GEMS[card], state.supply)
        state.gems[seat] += gems
        state.supply -= gems
        if tell:
            gained = unpack(gems)
    if tell:
        tell("act", state, {"seat": seat, "action": action, "gained": gained})


def _opening_key(state: State, seat: Seat) -> tuple[int, int, int]:
    """Return what decides: red, yellow, green, blue, then money, then age; the least is first."""
    return state.gems[seat], state.money[seat], state.age_rank[seat]


def _barter(state: State, action: str, pair: tuple[Seat, ...], tell: Tell) -> None:
    """Let the poorer of the two open; with no gem at all it can only decline."""
    one, other = pair
    gems = state.gems
    if gems[one] == gems[other]:
        opener = min(pair, key=partial(_opening_key, state))
    else:
        opener = one if gems[one] < gems[other] else other
    bargaining.begin(state, action, pair, opener, _why_opener(state, pair) if tell else "", tell)
    own = gems[opener]
    if own:
        state.decision = bargaining.OPEN
        state.asked = (opener,)
        state.moves = Offers(bargaining.DECLINE, own)
    else:
        _decline(state, opener, tell, forced=True)


def _why_opener(state: State, pair: tuple[Seat, ...]) -> str:
    one, other = ((*unpack(state.gems[s]), state.money[s], state.age_rank[s]) for s in pair)
    return bargaining.deciding_key(OPENING_KEYS, one, other)


def _decline(state: State, seat: Seat, tell: Tell, forced: bool = False) -> None:
    """Make no offer; after the opener the other may offer one gem, after both none acts (R-18)."""
    table = state.barter
    assert table is not None
    other = table.other(seat)
    first = seat == table.opener
    if first:
        table.to_answer = other
    else:
        state.barter = None
    if tell:
        tell("decline", state, {"seat": seat, "move": "decline", "forced": forced})
    if not first:
        if tell:
            tell("lapse", state, {"action": table.action, "seats": list(table.seats)})
    elif state.gems[other]:
        ask(state, bargaining.SINGLE, other, bargaining.single_offers(state.gems[other]))
    else:
        _decline(state, other, tell, forced=True)


def _bargain(state: State, moves: Sequence[str], tell: Tell) -> None:
    """Make the first offer or answer one. Of an opening alone `decline` is a legal move."""
    offers: Offers = state.moves  # type: ignore[assignment]
    # To ask for identity first saves a search in nearly all cases.
    if len(moves) != 1 or ((move := moves[0]) is not offers.last and move not in offers):
        refuse(state, moves, illegal_reason)
    (seat,) = state.asked
    state.asked = NOBODY
    if move == "decline":
        _decline(state, seat, tell)
    else:
        bargaining.say(_perform, state, seat, move, tell)


def _offer_single(state: State, seat: Seat, move: str, tell: Tell) -> None:
    if move == "decline":
        _decline(state, seat, tell)
    else:
        bargaining.offer_single(_perform, state, seat, move, tell)


def _source(state: State, seat: Seat, move: str, rng: Rng, tell: Tell) -> None:
    """Take the open event card, or put it away and take the next one (R-08)."""
    card, reshuffled = state.event, False
    state.event = None
    assert card is not None
    if move == "hidden":
        state.discards.append(card)
        card, reshuffled = _draw_event(state, rng)
    kind = EVENT[card]
    immediate = kind in IMMEDIATE
    if immediate:
        state.using = card
    if tell:
        fields = {"seat": seat, "move": move, "forced": False, "card": card}
        tell("source", state, {**fields, "reshuffled": reshuffled})
    if not immediate:
        state.held[seat].append(card)
        if tell:
            tell("keep", state, {"seat": seat, "card": card})
        return
    uses = events.uses(state, seat, kind)
    if len(uses) > 1:
        ask(state, USE, seat, uses)
    else:
        _use(state, seat, "decline", tell, forced=True)


def _use(state: State, seat: Seat, move: str, tell: Tell, forced: bool = False) -> None:
    card = state.using
    assert card is not None
    effect = events.use(state, seat, EVENT[card], move)
    state.using = None
    state.discards.append(card)
    if tell:
        tell("use", state, {"seat": seat, "move": move, "forced": forced, "card": card, **effect})


_PLAY: dict[str, Callable[[State, Seat, str, Tell], None]] = {
    bargaining.SINGLE: _offer_single,
    USE: _use,
    free_choice.TRADE: free_choice.trade,
    free_choice.PICK: free_choice.pick,
}
"""What a single seat's move does; taking an event card alone needs chance, too."""


def _end_round(state: State, rng: Rng, tell: Tell) -> None:
    """Clear the table; then the next round, or scoring once the gem cards are used up."""
    state.used += state.cards  # type: ignore[arg-type]  # until now every seat had a card
    if state.event is not None:
        state.discards.append(state.event)
        state.event = None
    state.actions = [None] * state.n
    if state.gem_pile:
        _deal(state, rng, tell)
        return
    state.cards = [None] * state.n
    scoring.score_phase(state, tell)
    if state.phase < PHASES:
        _start_phase(state, rng, tell)
        return
    state.decision = None
    state.moves = ()
    if tell:
        result = outcome(state)
        assert result is not None
        tell("end", state, {"placements": result.placements, "scores": result.scores})


def outcome(state: State) -> Outcome | None:
    """Place by money, then gems left, then red, yellow, green, blue (R-24)."""
    if state.decision is not None:
        return None
    keys = [(money, size(gems), gems) for money, gems in zip(state.money, state.gems, strict=True)]
    return Outcome(placements(keys), state.money[:], "completed")


def max_decisions(seats: int, chosen: Mapping[str, Json]) -> int:
    """Return a bound on the decisions of a match."""
    # In a round everybody chooses; at most two actions are bartered for, each up to the limit of
    # offers and one answer; then the event card is chosen and used, and the free choice is made.
    in_round: int = seats + 2 * (chosen["max_offers"] + 2) + 2 + seats
    return PHASES * ROUNDS[seats] * in_round

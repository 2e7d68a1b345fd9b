"""The course of Basari: stages, rounds, choices and what they lead to."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from engine.barter import bargaining, free_choice
from engine.barter.gems import COLOURS, VALUE, common, unpack
from engine.barter.majority import per_seat, score
from engine.barter.round_plan import choose, plans, resolve
from engine.barter.table import CHOOSE
from engine.game import NOBODY, Json, Outcome, Seat, ask, placements, refuse, resolve_options
from engine.games.basari.cards import DECK, GEMS, POINTS, WORKERS
from engine.games.basari.moves import ACTIONS, illegal_reason, openings
from engine.games.basari.state import OPTIONS, SEATS, STAGES, State, Tell
from engine.rng import Rng

NAME = "Basari: the card game"

ENOUGH_WORKERS = 15
WORKER_AWARD = 12
OPENING_KEYS = ("red", "yellow", "green", "blue", "points", "workers", "age")

_EVERYBODY = {n: tuple(range(n)) for n in SEATS}
PLANS = plans(ACTIONS)


def start(seats: int, chosen: Mapping[str, Json], rng: Rng, tell: Tell = None) -> State:
    """Set the table, and play on to the first choice of actions."""
    state = State(seats, resolve_options(NAME, SEATS, OPTIONS, seats, chosen))
    rng.shuffle(state.age_rank)
    state.pile = DECK[:]
    if tell:
        tell("start", state, {})
    _start_stage(state, rng, tell)
    return state


def play(state: State, moves: Sequence[str], rng: Rng, tell: Tell = None) -> None:
    """Apply one move for each seat asked, and go on to the next decision."""
    asked = state.asked
    if len(asked) == 1 == len(moves):
        if moves[0] not in state.moves:
            refuse(state, moves, illegal_reason)
        state.asked = NOBODY
        _PLAY[state.decision](state, asked[0], moves[0], tell)  # type: ignore[index]
    else:
        plan = PLANS.get(tuple(moves))
        if plan is None or len(moves) != len(asked):
            refuse(state, moves, illegal_reason)
        state.asked = NOBODY
        choose(state, moves, plan, tell)
    if not state.asked and resolve(state, _perform, _barter, _choose_freely, tell):
        _end_round(state, rng, tell)


def _start_stage(state: State, rng: Rng, tell: Tell) -> None:
    """Shuffle all bazaar cards into the pile, workers included; gems and points stay."""
    state.stage += 1
    state.round = 0
    state.pile = DECK[:]
    rng.shuffle(state.pile)
    state.pile.reverse()
    state.rows = [[] for _ in range(state.n)]
    state.workers = [0] * state.n
    if tell:
        tell("stage", state, {"stage": state.stage})
    _deal(state, tell)


def _deal(state: State, tell: Tell) -> None:
    state.round += 1
    state.cards = [_draw(state, seat) for seat in _EVERYBODY[state.n]]
    state.decision = CHOOSE
    state.asked = _EVERYBODY[state.n]
    state.moves = ACTIONS[state.n]
    if tell:
        tell("deal", state, {"cards": state.cards[:]})


def _draw(state: State, seat: Seat) -> str | None:
    """Lay the top card before a seat; its workers count at once. None if there is none (R-31)."""
    if not state.pile:
        return None
    card = state.pile.pop()
    state.rows[seat].append(card)
    state.workers[seat] += WORKERS[card]
    return card


def _choose_freely(state: State, seats: tuple[Seat, ...], tell: Tell) -> None:
    """Fix the order before the first gem is taken: most first, as in a barter (R-54)."""
    order = sorted(seats, key=lambda seat: _opening_key(state, seat), reverse=True)
    free_choice.choose_freely(state, order, tell)


def _perform(state: State, action: str, seat: Seat, tell: Tell) -> None:
    """Give a seat what its dealt card brings, nothing without one (R-31), or draw workers."""
    gained: int | list[int] | str | None
    if action == "workers":
        gained = _draw(state, seat)
    elif action == "points":
        gained = POINTS.get(state.cards[seat] or "", 0)
        state.points[seat] += gained
    else:
        gems = common(GEMS.get(state.cards[seat] or "", 0), state.supply)
        state.gems[seat] += gems
        state.supply -= gems
        gained = unpack(gems) if tell else None
    if tell:
        name = "card" if action == "workers" else "gained"
        tell("act", state, {"seat": seat, "action": action, name: gained})


def _opening_key(state: State, seat: Seat) -> tuple[int, int, int, int]:
    """Return what decides: red, yellow, green, blue, then points, workers and age (R-53)."""
    return state.gems[seat], state.points[seat], state.workers[seat], state.age_rank[seat]


def _barter(state: State, action: str, pair: tuple[Seat, ...], tell: Tell) -> None:
    """Let the richer of the two offer something; with no gem at all the other acts (R-33)."""
    one, other = pair
    gems = state.gems
    if gems[one] == gems[other]:
        opener = max(pair, key=lambda seat: _opening_key(state, seat))
    else:
        opener = one if gems[one] > gems[other] else other
    bargaining.begin(state, action, pair, opener, _why_opener(state, pair) if tell else "", tell)
    if not gems[opener]:
        _win_freely(state, action, one if opener == other else other, tell)
        return
    moves = openings(gems[opener])
    if len(moves) > 1:
        ask(state, bargaining.OPEN, opener, moves)
    else:
        state.decision, state.moves = bargaining.OPEN, moves
        bargaining.say(_perform, state, opener, moves[0], tell, forced=True)


def _why_opener(state: State, pair: tuple[Seat, ...]) -> str:
    one, other = ((*unpack(state.gems[seat]), *_opening_key(state, seat)[1:]) for seat in pair)
    return bargaining.deciding_key(OPENING_KEYS, one, other)


def _win_freely(state: State, action: str, seat: Seat, tell: Tell) -> None:
    state.barter = None
    if tell:
        tell("free_win", state, {"seat": seat, "action": action})
    _perform(state, action, seat, tell)


_PLAY: dict[str, Callable[[State, Seat, str, Tell], None]] = {
    bargaining.OPEN: partial(bargaining.say, _perform),
    bargaining.REPLY: partial(bargaining.say, _perform),
    free_choice.TRADE: free_choice.trade,
    free_choice.PICK: free_choice.pick,
}


def _end_round(state: State, rng: Rng, tell: Tell) -> None:
    """Clear the table; then the next round, or scoring once somebody has workers enough.

    An empty pile ends the stage as well (R-31); the house deck never runs out.
    """
    state.actions = [None] * state.n
    if max(state.workers) < ENOUGH_WORKERS and state.pile:
        _deal(state, tell)
        return
    state.cards = [None] * state.n
    score_stage(state, tell)
    if state.stage < STAGES:
        _start_stage(state, rng, tell)
        return
    state.decision = None
    if tell:
        result = outcome(state)
        assert result is not None
        tell("end", state, {"placements": result.placements, "scores": result.scores})


def score_stage(state: State, tell: Tell) -> None:
    """Score red, yellow, green, blue, each finished before the next; then the workers."""
    for colour in range(4):
        leaders, pay, back = score(state, state.points, colour, VALUE[colour])
        if tell:
            paid, returned = per_seat(leaders, pay, state.n), per_seat(leaders, back, state.n)
            tell("score", state, {"colour": COLOURS[colour], "paid": paid, "returned": returned})
    paid = [WORKER_AWARD if count >= ENOUGH_WORKERS else 0 for count in state.workers]
    state.points = [had + award for had, award in zip(state.points, paid, strict=True)]
    if tell:
        tell("workers", state, {"count": state.workers[:], "paid": paid})


def outcome(state: State) -> Outcome | None:
    """Place by points alone; equal points share a place, the first one too (R-32)."""
    if state.decision is not None:
        return None
    return Outcome(placements(state.points), state.points[:], "completed")


def max_decisions(seats: int, chosen: Mapping[str, Json]) -> int:
    """Return a bound on the decisions of a match."""
    # The deal alone empties the pile in so many rounds. In a round everybody chooses; at most two
    # actions are bartered for, each up to the limit of offers and one answer; then the free choice.
    rounds = -(-len(DECK) // seats)
    in_round: int = seats + 2 * (chosen["max_offers"] + 1) + seats
    return STAGES * rounds * in_round

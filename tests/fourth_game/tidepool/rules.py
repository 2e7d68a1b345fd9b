"""The rules of Tidepool. Eighty cards, all different; a hand of them is known to its seat only."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import (
    NOBODY,
    NOT_ASKED,
    Listener,
    Option,
    Options,
    Outcome,
    Seat,
    placements,
    quoted,
    refuse,
    resolve_options,
)
from engine.rng import Rng

NAME = "Tidepool"
SEATS = (2, 3, 4, 5, 6, 7)
CARDS = [f"c{number}" for number in range(1, 81)]
SHELLS = (1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 9)
"""What each of the shells is worth, in pearls."""
BID = "BID"
OPTIONS = {"tides": Option(8, range(2, 10), "it is a number from 2 to 9")}


class Position:
    """A position: whose hand is what, and which shell lies in the pool."""

    __slots__ = (
        *("asked", "decision", "gone_cards", "gone_shells", "hands", "moves", "options"),
        *("pearls", "shell", "shells", "tide"),
    )

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        self.options = options
        self.tide = 0
        self.shell: int | None = None
        self.shells: list[int] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.pearls = [0] * seats
        self.gone_shells: list[int] = []
        self.gone_cards: list[str] = []
        self.decision: str | None = None
        self.asked: tuple[Seat, ...] = NOBODY
        self.moves: Options = ()
        """Nobody's: every seat has moves of its own."""

    def clone(self) -> "Position":
        """Return an independent copy."""
        copy = Position(len(self.hands), self.options)
        copy.tide, copy.shell, copy.shells = self.tide, self.shell, self.shells[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.pearls = self.pearls[:]
        copy.gone_shells, copy.gone_cards = self.gone_shells[:], self.gone_cards[:]
        copy.decision, copy.asked = self.decision, self.asked
        return copy


def worth(card: str) -> int:
    """Return the number of a card."""
    return int(card[1:])


def options(state: Position, seat: Seat) -> Options:
    """Return the cards a seat may bid."""
    return tuple(state.hands[seat]) if seat in state.asked else ()


def to_move(state: Position) -> tuple[Seat, ...]:
    """Return the seats asked now: all of them, until the last tide."""
    return state.asked


def start(
    seats: int, chosen: Mapping[str, Any], rng: Rng, tell: Listener[Position] | None = None
) -> Position:
    """Hand out the cards, and let the first tide come in."""
    state = Position(seats, resolve_options(NAME, SEATS, OPTIONS, seats, chosen))
    cards = CARDS[:]
    rng.shuffle(cards)
    size = state.options["tides"]
    state.hands = [
        sorted(cards[seat * size : (seat + 1) * size], key=worth) for seat in range(seats)
    ]
    state.shells = list(SHELLS)
    rng.shuffle(state.shells)
    if tell:
        tell("start", state, {})
    _tide(state, tell)
    return state


def play(
    state: Position, moves: Sequence[str], rng: Rng, tell: Listener[Position] | None = None
) -> None:
    """Reveal one bid of every seat, and give the shell away."""
    legal = len(moves) == len(state.asked) > 0 and all(
        move in state.hands[seat] for seat, move in zip(state.asked, moves, strict=True)
    )
    if not legal:
        refuse(state, moves, illegal_reason)
    _reveal(state, moves, tell, forced=False)


def _tide(state: Position, tell: Listener[Position] | None) -> None:
    """Bring the next shell. The last bid has no alternative, so nobody is asked for it."""
    state.tide += 1
    state.shell = state.shells.pop()
    state.asked = tuple(range(len(state.hands)))
    state.decision = BID
    if tell:
        tell("tide", state, {"shell": state.shell})
    if len(state.hands[0]) == 1:
        _reveal(state, [hand[0] for hand in state.hands], tell, forced=True)


def _reveal(
    state: Position, bids: Sequence[str], tell: Listener[Position] | None, *, forced: bool
) -> None:
    state.asked = NOBODY
    for hand, bid in zip(state.hands, bids, strict=True):
        hand.remove(bid)
    state.gone_cards += bids
    if tell:
        tell("bid", state, {"moves": list(bids), "forced": [forced] * len(bids)})
    winner = max(range(len(bids)), key=lambda seat: worth(bids[seat]))
    shell, state.shell = state.shell or 0, None
    state.pearls[winner] += shell
    state.gone_shells.append(shell)
    if tell:
        tell("award", state, {"winner": winner, "shell": shell})
    if state.hands[0]:
        _tide(state, tell)
        return
    state.decision = None
    if tell:
        result = outcome(state)
        assert result is not None
        tell("end", state, {"placements": result.placements, "scores": result.scores})


def outcome(state: Position) -> Outcome | None:
    """Return the places by pearls; equals share one."""
    if state.decision is not None:
        return None
    return Outcome(placements(state.pearls), state.pearls[:], "completed")


def illegal_reason(state: Position, seat: Seat, move: str) -> str | None:
    """Return why a card cannot be bid."""
    if seat not in state.asked:
        return NOT_ASKED
    if move in state.hands[seat]:
        return None
    if move in CARDS:
        return f"{move} is not in your hand."
    return f"{quoted(move)} is not a card; a card is c1 to c80."

"""Write a bot for Edelsteinsuche: a method for every decision. Runs inside the box.

from bots_sdk.games.edelsteinsuche import EdelsteinsucheBot

class MyBot(EdelsteinsucheBot):
    def place(self, view, options):
        return options[0]
"""

from bots_sdk.bot import TypedView, View
from bots_sdk.decisions import GameBot
from bots_sdk.games.edelsteinsuche.moves import Draw, Hide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Draw",
    "EdelsteinsucheBot",
    "EdelsteinsuchePlaceView",
    "EdelsteinsucheSeat",
    "EdelsteinsucheView",
    "Hide",
    "Move",
    "Slot",
]

Move = str | Draw | Hide
"""What a method for a decision returns: one of the options, or a move as a value."""
MAX_EXCHANGES = 3
"""In a unique move."""


class Slot(TypedView):
    """One place of a row."""

    card: str | None
    """None where you do not know it, and while it is in a hand."""
    up: bool
    """Whether it lies face up, and so is safe."""


class EdelsteinsucheSeat(TypedView):
    """What you know of a seat."""

    type: str | None
    """The gem it looks for, `O`, `R`, `S` or `E`; None while that is secret."""
    revealed: bool
    """Whether everybody knows what it looks for, because it played the unique move."""
    unique_used: bool
    """Whether its unique move is gone."""
    missing: int
    """How many of its five gems are not shown yet; 0 wins."""


class OwnSeat(EdelsteinsucheSeat):
    """What you know of your own seat."""

    type: str
    """The gem you look for, `O`, `R`, `S` or `E`."""


class EdelsteinsucheVariant(TypedView):
    """The options of a match."""

    max_turns_per_seat: int
    """The number of turns after which nobody goes on."""
    dealer: int | None
    """The seat that deals; None if it is drawn by lot."""


class EdelsteinsucheView(TypedView):
    """What a seat sees. For editors and type checkers: at run time it is a plain `View`."""

    turn: int
    """How many turns have begun."""
    active: int
    """Whose turn the latest is."""
    dealer: int
    """Who dealt; the seat to the left began."""
    rows: list[list[Slot]]
    """Four rows of five; row r lies in front of seat r. Slot 1 is index 0."""
    hand: str | None
    """The card that was drawn and is not placed yet; never None in `place`."""
    drawn_from: list[int] | None
    """Where it came from: `[row, slot]`, the slot counted from 1, so `Draw(*view.drawn_from)`."""
    seats: list[EdelsteinsucheSeat]
    """What you know of each seat, by its number."""
    me: OwnSeat
    """The same as `seats[seat]`."""
    others: list[int]
    """The seats of the others, from your left-hand neighbour on."""
    known: list[list[list[str | None]]]
    """`known[seat][row][slot]`: which cards each seat knows, as far as you know them."""
    seen: list[list[list[bool]]]
    """The same as true and false, complete for all seats."""
    unique: bool
    """Whether this turn is a unique move."""
    draws: int
    """How many exchanges that unique move has made."""
    seat: int
    """Your own number, and that of your row."""
    decision: str
    """What is decided, such as `PLACE`."""
    asked: list[int]
    """Everybody who decides at this moment; here always one seat."""
    variant: EdelsteinsucheVariant
    """The options of this match."""
    news: list[View]
    """The public steps since you were last asked."""
    time_left_ms: int
    """How long this decision may take."""


class EdelsteinsuchePlaceView(EdelsteinsucheView):
    """What a seat sees when it places a card."""

    hand: str
    drawn_from: list[int]


class EdelsteinsucheBot(GameBot):
    """A bot for Edelsteinsuche. Write the methods that interest you; the others have defaults.

    Every method is given what your seat sees and the legal moves, and returns one of them, as text
    or as a `Draw` or `Hide`.
    """

    games = ("edelsteinsuche",)
    move_values = (Draw, Hide)
    methods = {  # noqa: RUF012  a mapping proxy would cost an import
        "TURN_START": "start_turn",
        "DRAW": "draw",
        "PLACE": "place",
        "UNIQUE_MORE": "more",
    }

    def start_turn(self, view: EdelsteinsucheView, options: "Sequence[str]") -> Move:
        """Choose `normal`, or `unique` for up to three exchanges in a row, once in a game.

        By default the unique move is played when it is sure to win.
        """
        sure = len(self._known_gems(view)) == view.me.missing <= MAX_EXCHANGES
        return "unique" if sure else "normal"

    def draw(self, view: EdelsteinsucheView, options: "Sequence[str]") -> Move:
        """Draw a card: `draw 2.4` takes the one in slot 4 of row 2.

        By default a gem of your own whose place you know, or else a card nobody showed you yet;
        among several, any of them.
        """
        if gems := self._known_gems(view):
            return self.rng.choice(gems)
        known = view.known[view.seat]
        unknown = [move for move in options if Draw.parse(move).find(known) is None]
        return self.rng.choice(unknown or options)

    def place(self, view: EdelsteinsuchePlaceView, options: "Sequence[str]") -> Move:
        """Place the card: `show` lays your gem open on its number, `hide 2` hides a card there.

        By default shows what can be shown. Otherwise a gem of your own that lies face down in your
        row is sent away: you know where, and can draw it back to show it.
        """
        if options[0] == "show":
            return "show"
        row, gem = view.known[view.seat][view.seat], view.me.type
        gems = [move for move in options if (Hide.parse(move).find(row) or "").startswith(gem)]
        return gems[0] if gems else options[0]

    def more(self, view: EdelsteinsucheView, options: "Sequence[str]") -> Move:
        """Choose in a unique move: `continue` with another exchange, or `stop`.

        By default goes on: one exchange more brings a gem closer.
        """
        return "continue"

    def _known_gems(self, view: EdelsteinsucheView) -> list[str]:
        """Return the draws that are sure to bring a gem of this seat."""
        known, mine = view.known[view.seat], view.me.type
        return [
            str(Draw(row, slot))
            for row, cards in enumerate(known)
            if row != view.seat
            for slot, card in enumerate(cards, 1)
            if card is not None and card.startswith(mine)
        ]

"""Which actions are legal, and the move that they build one by one. Runs inside the box."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bots_sdk.rl.encoding import Encoding
    from engine.game import Options, Seat

Actions = tuple[str, ...]


class IllegalAction(ValueError):
    """An action that no legal move goes on with; the text names those that are legal."""


class Legal:
    """The actions that can be said next."""

    __slots__ = ("mask", "moves")

    def __init__(self, size: int, moves: "Mapping[int, str | None]") -> None:
        self.mask = mask_of(size, moves)
        """A byte for each action, 1 if it is legal."""
        self.moves = moves
        """The move that each legal action completes, None if the move goes on."""


def mask_of(size: int, numbers: "Iterable[int]") -> bytes:
    """Return a byte for each of so many actions, 1 for those of these numbers."""
    mask = bytearray(size)
    for number in numbers:
        mask[number] = 1
    return bytes(mask)


class PartialMove:
    """A move that a seat says action by action."""

    __slots__ = ("_encoding", "_options", "_seat", "_seats", "legal", "prefix")

    def __init__(self, encoding: "Encoding", options: "Options", seat: "Seat", seats: int) -> None:
        self._encoding = encoding
        self._options = options
        self._seat = seat
        self._seats = seats
        self.prefix: Actions = ()
        """The actions so far."""
        self.legal = encoding.legal(options, (), seat, seats)

    def say(self, number: int | None) -> str | None:
        """Add an action and what follows without an alternative; return the move once complete."""
        moves = self.legal.moves
        if number is None or number not in moves:
            raise IllegalAction(f"{number} is not a legal action here; these are: {self.choices()}")
        move = moves[number]
        while move is None:
            self.prefix += (self._encoding.actions[number],)
            self.legal = self._encoding.legal(self._options, self.prefix, self._seat, self._seats)
            if len(self.legal.moves) > 1:
                return None
            ((number, move),) = self.legal.moves.items()
        return move

    def choices(self) -> str:
        """Return the legal actions in words."""
        return ", ".join(self._encoding.actions[number] for number in self.legal.moves)


def spell_out(
    encoding: "Encoding", move: str, options: "Options", seat: "Seat", seats: int
) -> list[int]:
    """Return the numbers of the actions that an environment is told to make a move.

    Those without an alternative are left out, unless they come first: it takes them by itself.
    """
    partial = PartialMove(encoding, options, seat, seats)
    parts = encoding.spell(move, seat, seats)
    numbers = []
    completed = None
    while completed is None:
        number = encoding.number[parts[len(partial.prefix)]]
        numbers.append(number)
        completed = partial.say(number)
    return numbers

"""Moves as values: a draw knows its row and slot, a hide its slot. Runs inside the box."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    T = TypeVar("T")

ROWS, SLOTS = 4, 5


class Draw:
    """The move `draw 2.4`: take the card in slot 4 of row 2. Slots are counted from 1."""

    __slots__ = ("row", "slot")

    def __init__(self, row: int, slot: int) -> None:
        if not (0 <= row < ROWS and 1 <= slot <= SLOTS):
            raise ValueError(
                f"there is no slot {slot} in a row {row}; rows are 0 to 3, slots 1 to 5"
            )
        self.row = row
        self.slot = slot

    @classmethod
    def parse(cls, move: str) -> "Draw":
        """Return the draw of a move, such as `draw 2.4`."""
        try:
            return _DRAWS[move]
        except KeyError:
            raise ValueError(f"{move!r} is not a draw; it looks like 'draw 2.4'") from None

    def find(self, rows: "Sequence[Sequence[T]]") -> "T":
        """Return what lies there in `view.rows`, `view.known[seat]` or `view.seen[seat]`."""
        return rows[self.row][self.slot - 1]

    def __eq__(self, other: object) -> bool:
        # Equal to its text as well, so that `draw in options` is what it looks like.
        return str(self) == str(other) if isinstance(other, (Draw, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return f"draw {self.row}.{self.slot}"

    def __repr__(self) -> str:
        return f"Draw({self.row}, {self.slot})"


class Hide:
    """The move `hide 2`: lay the card face down in slot 2 of your row."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        if not 1 <= slot <= SLOTS:
            raise ValueError(f"there is no slot {slot}; slots are 1 to 5")
        self.slot = slot

    @classmethod
    def parse(cls, move: str) -> "Hide":
        """Return the hide of a move, such as `hide 2`."""
        try:
            return _HIDES[move]
        except KeyError:
            raise ValueError(f"{move!r} is not a hide; it looks like 'hide 2'") from None

    def find(self, row: "Sequence[T]") -> "T":
        """Return what lies there in a row, such as `view.rows[view.seat]`."""
        return row[self.slot - 1]

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, (Hide, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return f"hide {self.slot}"

    def __repr__(self) -> str:
        return f"Hide({self.slot})"


# A searching bot parses thousands of moves, and there are only 25 different ones.
_DRAWS = {
    str(draw): draw
    for draw in (Draw(row, slot) for row in range(ROWS) for slot in range(1, SLOTS + 1))
}
_HIDES = {str(hide): hide for hide in map(Hide, range(1, SLOTS + 1))}

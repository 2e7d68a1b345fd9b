"""The difference of two texts, line by line, as rows that can be printed."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_LINES = 4000
"""Comparing takes the square of this; longer files are for a program on one's own machine."""
CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line that stayed (` `), went (`-`) or came (`+`), with its numbers in both texts."""

    sign: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Groups of lines around each change. `too_long` says that nobody compared them."""

    groups: tuple[tuple[Line, ...], ...] = ()
    too_long: bool = False

    @property
    def added(self) -> int:
        """How many lines came."""
        return self._count("+")

    @property
    def removed(self) -> int:
        """How many lines went."""
        return self._count("-")

    def _count(self, sign: str) -> int:
        return sum(line.sign == sign for group in self.groups for line in group)


def compare(old: str, new: str) -> Difference:
    """What changed from the old text to the new one."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return Difference(too_long=True)
    matcher = SequenceMatcher(None, before, after)
    return Difference(
        tuple(
            tuple(line for change in group for line in _lines(change, before, after))
            for group in matcher.get_grouped_opcodes(CONTEXT)
        )
    )


def _lines(
    change: tuple[str, int, int, int, int], before: list[str], after: list[str]
) -> Iterator[Line]:
    kind, old, old_end, new, new_end = change
    if kind == "equal":
        for step in range(old_end - old):
            yield Line(" ", old + step + 1, new + step + 1, before[old + step])
        return
    for number in range(old, old_end):
        yield Line("-", number + 1, None, before[number])
    for number in range(new, new_end):
        yield Line("+", None, number + 1, after[number])

"""The difference of two texts, line by line, as rows that can be printed."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from league.bots.source.line_matching import LineMatching
from runners.recent_results import Recent

MAX_LINES = 4000
"""Of a text, and of the rows on a page."""
MAX_STEPS = 300_000
"""Of a comparison: about 0.2 s. An ordinary change takes some hundreds."""
MAX_REMEMBERED = 16
CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is equal (` `), gone (`-`) or new (`+`), with its numbers in both texts."""

    sign: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Groups of lines around each change. Texts that are `too_long` are not compared."""

    groups: tuple[tuple[Line, ...], ...] = ()
    too_long: bool = False
    complete: bool = True
    """Whether all lines in common were found; otherwise long stretches are shown as replaced."""

    @property
    def added(self) -> int:
        """Return how many lines are new."""
        return self._count("+")

    @property
    def removed(self) -> int:
        """Return how many lines are gone."""
        return self._count("-")

    def _count(self, sign: str) -> int:
        return sum(line.sign == sign for group in self.groups for line in group)


_differences: Recent[Difference] = Recent(MAX_REMEMBERED)


def compare(old: str, new: str) -> Difference:
    """Return what changed from the old text to the new one; recent answers are remembered."""
    digests = tuple(sha256(text.encode()).digest() for text in (old, new))
    return _differences.get(digests, lambda: _compare(old, new))


def _compare(old: str, new: str) -> Difference:
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MAX_LINES:
        return Difference(too_long=True)
    matching = LineMatching(before, after, MAX_STEPS)
    groups = tuple(_groups(list(_lines(before, after, matching))))
    if sum(map(len, groups)) > MAX_LINES:
        return Difference(too_long=True)
    return Difference(groups, complete=matching.complete)


def _lines(before: list[str], after: list[str], matching: LineMatching) -> Iterator[Line]:
    """Yield all lines of both texts in the order they are read."""
    old = new = 0
    for i, j in [*matching.pairs, (len(before), len(after))]:
        for number in range(old, i):
            yield Line("-", number + 1, None, before[number])
        for number in range(new, j):
            yield Line("+", None, number + 1, after[number])
        if i < len(before):
            yield Line(" ", i + 1, j + 1, before[i])
        old, new = i + 1, j + 1


def _groups(lines: list[Line]) -> Iterator[tuple[Line, ...]]:
    """Yield the changes, each with a little around it; near ones stand together."""
    group: list[Line] = []
    last_change = None
    for at, line in enumerate(lines):
        if line.sign == " ":
            continue
        first = max(0, at - CONTEXT)
        if last_change is not None:
            end = last_change + 1 + CONTEXT
            if first > end:
                yield (*group, *lines[last_change + 1 : end])
                group = []
            else:
                first = last_change + 1
        group += lines[first : at + 1]
        last_change = at
    if last_change is not None:
        yield (*group, *lines[last_change + 1 : last_change + 1 + CONTEXT])

"""Which lines two texts have in common, found with bounded work. Pure.

Lines that stand once in both texts anchor the comparison (patience diff); between them the shortest
edit is searched (Myers). Where that would take more steps than there are, a stretch counts as
replaced as a whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

Pair = tuple[int, int]
"""A line of the old text and the same line in the new one."""
Stretch = tuple[int, int, int, int]
"""A part of each text: from, to; from, to."""


class LineMatching:
    """The pairs of two texts in their order; `complete` unless the steps ran out."""

    def __init__(self, old: Sequence[str], new: Sequence[str], max_steps: int) -> None:
        numbers: dict[str, int] = {}
        self._old = [numbers.setdefault(line, len(numbers)) for line in old]
        self._new = [numbers.setdefault(line, len(numbers)) for line in new]
        self.steps_left = max_steps
        self.complete = True
        self.pairs = sorted(self._match((0, len(old), 0, len(new))))

    def _match(self, whole: Stretch) -> Iterator[Pair]:
        pairs, (a, a_end, b, b_end) = self._trim(whole)
        yield from pairs
        for i, j in [*self._anchors(a, a_end, b, b_end), (a_end, b_end)]:
            pairs, gap = self._trim((a, i, b, j))
            yield from pairs
            yield from self._search(*gap)
            if i < a_end:
                yield i, j
            a, b = i + 1, j + 1

    def _trim(self, stretch: Stretch) -> tuple[list[Pair], Stretch]:
        """Return the pairs at both ends of a stretch, and what is left between them."""
        a, a_end, b, b_end = stretch
        pairs = []
        while a < a_end and b < b_end and self._old[a] == self._new[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and self._old[a_end - 1] == self._new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            pairs.append((a_end, b_end))
        return pairs, (a, a_end, b, b_end)

    def _anchors(self, a: int, a_end: int, b: int, b_end: int) -> list[Pair]:
        """Return the longest rising row of lines that stand once in both parts."""
        old_counts = Counter(self._old[a:a_end])
        new_counts = Counter(self._new[b:b_end])
        places = {line: j for j, line in enumerate(self._new[b:b_end], b) if new_counts[line] == 1}
        ends: list[int] = []
        rows: list[tuple[int, int, int | None]] = []
        tails: list[int] = []
        for i in range(a, a_end):
            line = self._old[i]
            if old_counts[line] != 1 or line not in places:
                continue
            j = places[line]
            length = bisect_left(ends, j)
            rows.append((i, j, tails[length - 1] if length else None))
            ends[length : length + 1] = [j]
            tails[length : length + 1] = [len(rows) - 1]
        return _walk_back(rows, tails[-1] if tails else None)

    def _search(self, a: int, a_end: int, b: int, b_end: int) -> list[Pair]:
        """Return the pairs of the shortest edit of a stretch; none if the steps do not suffice."""
        if a == a_end or b == b_end:
            return []
        reach = {1: 0}
        history: list[dict[int, int]] = []
        old_count, new_count = a_end - a, b_end - b
        for edits in range(old_count + new_count + 1):
            self.steps_left -= edits + 1
            if self.steps_left < 0:
                self.complete = False
                return []
            history.append(reach)
            reach = dict(reach)
            for k in range(-edits, edits + 1, 2):
                down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
                x = reach[k + 1] if down else reach[k - 1] + 1
                while (
                    x < old_count and x - k < new_count and self._old[a + x] == self._new[b + x - k]
                ):
                    x += 1
                    self.steps_left -= 1
                reach[k] = x
                if x >= old_count and x - k >= new_count:
                    return [(a + x, b + y) for x, y in _trace(history, x, x - k)]
        raise AssertionError("an edit of all lines reaches the end")


def _walk_back(rows: list[tuple[int, int, int | None]], at: int | None) -> list[Pair]:
    pairs = []
    while at is not None:
        i, j, at = rows[at]
        pairs.append((i, j))
    return pairs[::-1]


def _trace(history: list[dict[int, int]], x: int, y: int) -> Iterator[Pair]:
    """Yield the equal lines of the edit that reached this point, backwards."""
    for edits in range(len(history) - 1, -1, -1):
        reach, k = history[edits], x - y
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        before = k + 1 if down else k - 1
        start_x = reach[before] if edits else 0
        start_y = start_x - before if edits else 0
        while x > start_x and y > start_y:
            x, y = x - 1, y - 1
            yield x, y
        x, y = start_x, start_y

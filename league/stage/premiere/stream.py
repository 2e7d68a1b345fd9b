"""The part of a message that brings a premiere on: what the latest seconds added.

All viewers get the same bytes. Each message begins some seconds back, so that whoever missed one
can still use the next; whoever has too little asks for everything so far.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from league.stage.premiere.changes import changes
from league.stage.premiere.clock import Clock, step_count
from league.stage.premiere.show import Show

AHEAD_MS = 2000
"""Steps are sent this long before their time, so that all viewers show them at the same moment."""
OVERLAP_MS = 3000
"""Who asks every 1.9 seconds, of a server that reads every second, can still go on from what it
has."""


@dataclass
class Stream:
    """A premiere as one process sends it: which steps are out, and when they went."""

    show: Show
    take: str
    """Whoever has steps of another take forgets them."""
    _counts: "deque[tuple[float, int]]" = field(default_factory=deque)

    def advance(self, clock: Clock, now_ms: float) -> int:
        """Let out the steps that are due, and return how many are out."""
        count = step_count(self.show.starts_ms, clock.position(now_ms + AHEAD_MS))
        # What is out stays out: a pause takes nothing back.
        latest = self._counts[-1][1] if self._counts else 0
        if count > latest:
            self._counts.append((now_ms, count))
        # Viewers have what was sent last before the overlap, or something later.
        while len(self._counts) > 1 and self._counts[1][0] < now_ms - OVERLAP_MS:
            self._counts.popleft()
        return self._counts[-1][1]

    def part(self) -> dict[str, Any]:
        """Return what brings a viewer from any state of the latest seconds to this one."""
        counts = [count for _, count in self._counts]
        known = [self.show.values(count) for count in counts[:-1]] or [self.show.values(counts[-1])]
        return self._message(counts[0], changes(known, self.show.values(counts[-1])))

    def whole(self) -> dict[str, Any]:
        """Return everything so far."""
        return self._message(0, changes([], self.show.values(self._counts[-1][1])))

    def _message(self, first: int, changed: dict[str, Any]) -> dict[str, Any]:
        count = self._counts[-1][1]
        return {
            "take": self.take,
            "from": first,
            "to": count,
            "steps": self.show.steps(first, count),
            "values": changed,
        }

"""What happened at a table, kept for those who are asked next."""

from typing import Any

from engine.game import Listener, Seat
from runners.json_text import encode

Steps = list[dict[str, Any]]


class News:
    """Listens to a game, and hands each seat the steps since it was last asked."""

    def __init__(self, next_listener: Listener | None = None) -> None:
        """Begin without news. `next_listener` is called with every step, too."""
        self._steps: list[tuple[dict[str, Any], dict[str, list[Seat]]]] = []
        self._texts: list[bytes] = []
        """The public steps as JSON, as far as somebody in a box was told of them."""
        self._read_counts: dict[Seat, int] = {}
        self._next_listener = next_listener

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return len(self._steps)

    def __call__(self, t: str, state: object, fields: dict[str, Any]) -> None:
        """Listen to a step of the game."""
        step = {"i": len(self._steps), "t": t, **fields}
        self._steps.append((step, step.pop("for", {})))
        if self._next_listener:
            self._next_listener(t, state, fields)

    def copy(self) -> "News":
        """Return the same news, to go on with by itself and without another listener."""
        copy = News()
        copy._steps, copy._read_counts = self._steps[:], self._read_counts.copy()
        return copy

    def unread(self, seat: Seat) -> Steps:
        """Return the steps since the seat read last, without what it does not know."""
        return [
            _without_hidden(step, hidden, seat) if hidden else step
            for step, hidden in self._steps[self._read_counts.get(seat, 0) :]
        ]

    def read_json(self, seat: Seat) -> bytes:
        """Return the same as `read`, as JSON. What all seats know is written down once."""
        steps, texts = self._steps, self._texts
        texts += [b"" if hidden else encode(step) for step, hidden in steps[len(texts) :]]
        start = self._read_counts.get(seat, 0)
        self._read_counts[seat] = len(steps)
        unread = [
            text or encode(_without_hidden(*steps[number], seat))
            for number, text in enumerate(texts[start:], start)
        ]
        return b"[%b]" % b",".join(unread)

    def read(self, seat: Seat) -> Steps:
        """Return the same, once: the next time only what happens from here on."""
        steps = self.unread(seat)
        self._read_counts[seat] = len(self._steps)
        return steps


def _without_hidden(
    step: dict[str, Any], hidden: dict[str, list[Seat]], seat: Seat
) -> dict[str, Any]:
    """Return a step without the fields that a seat does not know."""
    return {name: value for name, value in step.items() if seat in hidden.get(name, (seat,))}

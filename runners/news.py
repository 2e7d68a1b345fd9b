"""What happened at a table, kept for those who are asked next."""

from typing import Any

from engine.game import Listener, Seat

Steps = list[dict[str, Any]]


class News:
    """Listens to a game, and tells each seat the steps since it was last asked."""

    def __init__(self, also: Listener | None = None) -> None:
        """`also` is told everything, too."""
        self._told: list[tuple[dict[str, Any], dict[str, list[Seat]]]] = []
        self._read: dict[Seat, int] = {}
        self._also = also

    @property
    def steps(self) -> int:
        """How many there have been."""
        return len(self._told)

    def __call__(self, t: str, state: object, fields: dict[str, Any]) -> None:
        """Listen to a step of the game."""
        step = {"i": len(self._told), "t": t, **fields}
        self._told.append((step, step.pop("for", {})))
        if self._also:
            self._also(t, state, fields)

    def copy(self) -> "News":
        """The same news, going on by itself and telling nobody else."""
        copy = News()
        copy._told, copy._read = self._told[:], self._read.copy()
        return copy

    def unread(self, seat: Seat) -> Steps:
        """The steps since the seat read last, without what it does not know."""
        return [
            {name: value for name, value in step.items() if seat in hidden.get(name, (seat,))}
            if hidden
            else step
            for step, hidden in self._told[self._read.get(seat, 0) :]
        ]

    def read(self, seat: Seat) -> Steps:
        """The same, once: the next time it is told what happens from here on."""
        steps = self.unread(seat)
        self._read[seat] = len(self._told)
        return steps

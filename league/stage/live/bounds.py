"""How many live connections a process holds, altogether and for each address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Gauge

MAX_OF_ADDRESS = 256
"""A whole hall or school may sit behind one address, so an address may take half of the default
for all; who wants to keep others out of their walls needs two."""
MAX_WALLS_OF_ADDRESS = 8
"""An evening has one wall, a fair some; who wants to take the place of all walls needs four."""
CONNECTIONS = Gauge(
    "karat_live_connections", "Viewers of walls that this web process keeps connected."
)


class TooMany(Exception):
    """There is no room for another connection."""


class Bounds:
    """Counts connections."""

    def __init__(self, max_connections: int, max_of_address: int = MAX_OF_ADDRESS) -> None:
        self._max_connections = max_connections
        self._max_of_address = max_of_address
        self._walls_of: dict[str, Counter[str]] = {}
        self.count = 0

    @contextmanager
    def admit(self, address: str, wall: str) -> Iterator[None]:
        """Count a connection to a wall while it lasts; `TooMany` if there is no room for it."""
        walls = self._walls_of.get(address, Counter())
        is_full = self.count >= self._max_connections or walls.total() >= self._max_of_address
        if is_full or (wall not in walls and len(walls) >= MAX_WALLS_OF_ADDRESS):
            raise TooMany
        self._walls_of[address] = walls
        self._add(walls, wall, 1)
        try:
            yield
        finally:
            self._add(walls, wall, -1)
            if not walls:
                del self._walls_of[address]

    def _add(self, walls: Counter[str], wall: str, number: int) -> None:
        walls[wall] += number
        if not walls[wall]:
            del walls[wall]
        self.count += number
        CONNECTIONS.inc(number)

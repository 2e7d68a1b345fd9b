"""How many live connections a process holds, altogether and for each address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MAX_OF_ADDRESS = 256
"""A whole hall or school may sit behind one address, so an address may take half of the default
for all; who wants to keep others out of their walls needs two."""


class TooMany(Exception):
    """There is no room for another connection."""


class Bounds:
    """Counts connections."""

    def __init__(self, max_connections: int, max_of_address: int = MAX_OF_ADDRESS) -> None:
        self._max_connections = max_connections
        self._max_of_address = max_of_address
        self._of_address: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """Return how many connections there are."""
        return self._of_address.total()

    @contextmanager
    def admit(self, address: str) -> Iterator[None]:
        """Count a connection while it lasts; `TooMany` if there is no room for it."""
        full = self.count >= self._max_connections
        if full or self._of_address[address] >= self._max_of_address:
            raise TooMany
        self._of_address[address] += 1
        try:
            yield
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

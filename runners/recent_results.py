"""A cache of the latest results of work, each under a key."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Recent(Generic[Result]):
    """Keeps some results, and forgets the one that was not used for longest."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._results: OrderedDict[Hashable, Result] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return the result of this key, made now if it is not here. An exception is not kept."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        result = make()
        with self._lock:
            self._results[key] = result
            if len(self._results) > self._size:
                self._results.popitem(last=False)
        return result

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._results.clear()

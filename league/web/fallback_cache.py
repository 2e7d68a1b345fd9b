"""A cache in Redis that falls back to memory.

While Redis does not answer, each process has a cache of its own: pages are computed a little more
often and limits are counted per process. Nothing depends on what is cached.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from league.web.circuit_breaker import CircuitBreaker

MAX_ENTRIES = 10_000

R = TypeVar("R")


_breakers: dict[str, CircuitBreaker] = {}
"""One for each Redis: every thread has a cache of its own."""


class FallbackCache(BaseCache):
    """Django's cache in Redis, or in the memory of this process while Redis does not answer."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._redis = RedisCache(location, params)
        memory = {**params, "OPTIONS": {"MAX_ENTRIES": MAX_ENTRIES}}
        self._memory = LocMemCache(f"instead of {location}", memory)
        breaker = CircuitBreaker("Redis", "every process remembers for itself")
        self._breaker = _breakers.setdefault(location, breaker)

    def _ask(self, question: Callable[[BaseCache], R]) -> R:
        if self._breaker.may_ask():
            try:
                answer = question(self._redis)
            except (RedisError, OSError) as error:
                self._breaker.fail(error)
            else:
                self._breaker.succeed()
                return answer
        return question(self._memory)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value unless there is one."""
        return self._ask(lambda cache: cache.add(key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value."""
        return self._ask(lambda cache: cache.get(key, default, version))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value."""
        self._ask(lambda cache: cache.set(key, value, timeout, version))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Extend the life of a value."""
        return self._ask(lambda cache: cache.touch(key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Remove a value."""
        return self._ask(lambda cache: cache.delete(key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number."""
        return self._ask(lambda cache: cache.incr(key, delta, version))

    def has_key(self, key: Any, version: int | None = None) -> bool:
        """Return whether there is a value."""
        return self._ask(lambda cache: cache.has_key(key, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        """Return the values of these keys."""
        return self._ask(lambda cache: cache.get_many(keys, version))

    def set_many(
        self, data: dict[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        """Store several values."""
        return self._ask(lambda cache: cache.set_many(data, timeout, version))

    def clear(self) -> None:
        """Remove everything."""
        self._memory.clear()
        self._ask(lambda cache: cache.clear())

    def close(self, **kwargs: Any) -> None:
        """Close connections at the end of a request."""
        self._redis.close(**kwargs)

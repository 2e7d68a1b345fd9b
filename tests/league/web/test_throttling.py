"""Limits hold while the cache is in trouble: whoever is not counted there is counted here."""

import pytest
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache

from league.web.throttling import Budget, Limit

NO_REDIS = {
    "BACKEND": "league.web.fallback_cache.FallbackCache",
    "LOCATION": "unix:///nowhere/redis.sock",
    "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
}


class Forgetful(LocMemCache):
    """Like a Redis that goes away between two questions, or a count whose time is over."""

    def incr(self, key, delta=1, version=None):
        """Lose every third count just before it is added to."""
        self.asked = getattr(self, "asked", 0) + 1
        if self.asked % 3 == 0:
            self.delete(key, version=version)
        return super().incr(key, delta, version)


@pytest.mark.parametrize("limit", [Limit("test", 3, 600), Budget("test", 3, 6000)])
def test_without_redis_a_process_counts_for_itself(settings, limit):
    settings.CACHES = {"default": NO_REDIS}
    cache.clear()
    waits = [limit.seconds_to_wait("mira") for _ in range(8)]
    assert waits[:3] == [0, 0, 0]
    assert all(waits[4:])
    assert limit.seconds_to_wait("anton") == 0


def test_an_event_whose_count_just_went_away_is_counted(settings):
    settings.CACHES = {"default": {"BACKEND": f"{__name__}.Forgetful", "LOCATION": "forgetful"}}
    cache.clear()
    limit = Limit("test", 1, 600)
    assert [bool(limit.seconds_to_wait("mira")) for _ in range(5)] == [
        *(False, True, True),
        *(False, True),
    ]

"""The matches that the walls of this process show. Each is made once, however many ask for it, and
dropped when nobody shows it any more.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock
from weakref import WeakValueDictionary

from django.db import Error
from django.utils.crypto import salted_hmac

from engine.record.ending import name_winner
from league.matches.models import Match
from league.matches.records import codec, display_names
from league.stage.premiere.show import Show, make_show

MAX_LATEST = 4
"""Kept besides those that are on a wall, for pages and remotes: one takes some megabytes."""
MAX_REJECTED = 256
Key = tuple[int, str, str]
"""A match, the digest of its record, and a word for the names in it."""
_log = logging.getLogger(__name__)


def show_of(match_id: int) -> Show | None:
    """Return a match that was played, whether it is public or not; None if it cannot be shown."""
    # Most of the time the show is there already, and the record is not needed.
    matches = Match.objects.select_related("record").defer("record__data")
    match = matches.filter(pk=match_id, status=Match.Status.FINISHED).first()
    if match is None or not hasattr(match, "record"):
        return None
    return _shows.find(match)


@contextmanager
def rejecting(show: Show) -> Iterator[None]:
    """End a block in which something of a match cannot be told, and show that match no more."""
    try:
        yield
    except Error:
        raise
    except Exception:
        # Games come from outside: walls go on without the match.
        _log.exception("match %s cannot be told any further", show.match_id)
        _shows.reject(show)


class Shows:
    """Shows by what they are made from: another record or name makes another show."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._in_use: WeakValueDictionary[Key, Show] = WeakValueDictionary()
        self._latest: OrderedDict[Key, Show] = OrderedDict()
        self._rejected: OrderedDict[Key, None] = OrderedDict()
        self._in_the_making: dict[Key, Future[Show | None]] = {}

    def find(self, match: Match) -> Show | None:
        """Return the show of a match; None if its record cannot be read or told."""
        names = display_names.mark_of(match)
        key = (match.pk, match.record.digest, names)
        with self._lock:
            if key in self._rejected:
                return None
            if show := self._in_use.get(key):
                self._keep(key, show)
                return show
            future = self._in_the_making.get(key)
            is_first = future is None
            if future is None:
                future = self._in_the_making[key] = Future()
        return self._make(key, match, future) if is_first else future.result()

    def _make(self, key: Key, match: Match, future: "Future[Show | None]") -> Show | None:
        try:
            show = _made(match, key)
        except BaseException as error:
            with self._lock:
                del self._in_the_making[key]
            future.set_exception(error)
            raise
        with self._lock:
            self._keep(key, show)
            del self._in_the_making[key]
        future.set_result(show)
        return show

    def _keep(self, key: Key, show: Show | None) -> None:
        if show is None:
            self._reject(key)
            return
        self._in_use[key] = self._latest[key] = show
        self._latest.move_to_end(key)
        while len(self._latest) > MAX_LATEST:
            self._latest.popitem(last=False)

    def reject(self, show: Show) -> None:
        """Return this show never again."""
        with self._lock:
            for key in [key for key, one in self._in_use.items() if one is show]:
                self._reject(key)

    def _reject(self, key: Key) -> None:
        self._in_use.pop(key, None)
        self._latest.pop(key, None)
        self._rejected[key] = None
        while len(self._rejected) > MAX_REJECTED:
            self._rejected.popitem(last=False)


_shows = Shows()


def _made(match: Match, key: Key) -> Show | None:
    try:
        record = name_winner(codec.unpack(bytes(match.record.data)))
        seats = match.seats.select_related("bot")
        return make_show(match.pk, display_names.with_current_names(record, seats), _edition(key))
    except Error:
        raise
    except Exception:
        # Games come from outside, and a record may be damaged: walls go on without it.
        _log.exception("match %s cannot be shown on a wall", match.pk)
        return None


def _edition(key: Key) -> str:
    """Return a word that is the same in all processes. The digest would give cards away."""
    return salted_hmac("league.stage.shows", repr(key)).hexdigest()[:8]

"""Estimating the chances in one match. Whatever a game does meanwhile, the worker goes on."""

import logging
from collections import Counter
from collections.abc import Callable
from time import process_time

from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.values import NO_CHANCES, Chances
from engine.record.reading import RecordError
from league.matches.models import Record
from league.matches.records import codec

log = logging.getLogger(__name__)

MAX_CPU_SECONDS = 2.0
"""The emergency brake. What is done is bounded by counts: a match takes some tenths of a second."""
MAX_SLOW_MATCHES = 3
"""After so many matches in a row that took too long, this process leaves a game alone."""

_complaints: set[str] = set()
"""The games about which this process has complained."""
_slow_matches: Counter[str] = Counter()
"""How many matches of a game took too long, one after the other."""


class TooSlow(Exception):
    """The rules of a game take too long."""


class Stopped(Exception):
    """The process has to end before the chances are known."""


def never() -> bool:
    """Return that the process goes on."""
    return False


def chances_in(game: str, record: Record, is_stopping: Callable[[], bool] = never) -> Chances:
    """Return the chances in a match; none if its game fails, which is logged once for each game.

    `Stopped` as soon as `is_stopping` says so.
    """
    if _slow_matches[game] >= MAX_SLOW_MATCHES:
        return NO_CHANCES
    started = process_time()

    def allow() -> None:
        if is_stopping():
            raise Stopped
        if process_time() - started > MAX_CPU_SECONDS:
            raise TooSlow(f"no result after {MAX_CPU_SECONDS:.0f} s")

    try:
        chances = estimate(codec.unpack(bytes(record.data)), allow)
    except Stopped:
        raise
    except RecordError as error:
        log.info("match %s cannot be played again: %s", record.match_id, error)
    except Exception as error:
        # A game may come from anybody.
        _slow_matches[game] += isinstance(error, TooSlow)
        if game not in _complaints:
            _complaints.add(game)
            log.exception("the chances in a match of %s could not be estimated", game)
    else:
        _slow_matches[game] = 0
        return chances
    return NO_CHANCES

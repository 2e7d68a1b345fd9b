"""Estimating the chances in one match. Whatever a game does meanwhile, the worker goes on."""

import logging
from time import process_time

from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.values import NO_CHANCES, Chances
from engine.record.reading import RecordError
from league.matches.models import Record
from league.matches.records import codec

log = logging.getLogger(__name__)

MAX_CPU_SECONDS = 10.0
"""The emergency brake. What is done is bounded by counts: a match takes some tenths of a second."""

_complaints: set[str] = set()
"""The games about which this process has complained."""


class TooSlow(Exception):
    """The rules of a game take too long."""


def chances_in(game: str, record: Record) -> Chances:
    """Return the chances in a match; none if its game fails, which is logged once for each game."""
    started = process_time()

    def brake() -> None:
        if process_time() - started > MAX_CPU_SECONDS:
            raise TooSlow(f"no result after {MAX_CPU_SECONDS:.0f} s")

    try:
        return estimate(codec.unpack(bytes(record.data)), brake)
    except RecordError as error:
        log.info("match %s cannot be played again: %s", record.match_id, error)
    except Exception:
        # A game may come from anybody.
        if game not in _complaints:
            _complaints.add(game)
            log.exception("the chances in a match of %s could not be estimated", game)
    return NO_CHANCES

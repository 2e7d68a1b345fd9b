"""Transactions that are repeated after a conflict with another one.

A database may break a deadlock, give up on a lock, or close a connection. Whatever had to be
written is still in memory then.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection, transaction

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
PAUSE_SECONDS = 0.05
RECONNECT_SECONDS = 1.0
STORE_SECONDS = 60.0
"""How long a result waits for a database that is down."""
_CONFLICTS = frozenset({"40001", "40P01", "55P03"})
"""Serialization failure, deadlock, lock not available."""

P = ParamSpec("P")
R = TypeVar("R")


def is_conflict(error: BaseException) -> bool:
    """Return whether the same transaction can be expected to succeed when it is repeated."""
    cause = error.__cause__
    if getattr(cause, "sqlstate", None) in _CONFLICTS:
        return True
    return "database is locked" in str(error) or "database table is locked" in str(error)


def atomic_with_retries(function: Callable[P, R]) -> Callable[P, R]:
    """Run the function in a transaction, and repeat it after a conflict with another one.

    Within a transaction of the caller it runs once: only the whole can be repeated.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            return function(*args, **kwargs)
        attempt = 1
        while True:
            try:
                with transaction.atomic():
                    return function(*args, **kwargs)
            except OperationalError as error:
                if attempt >= MAX_ATTEMPTS or not is_conflict(error):
                    raise
                log.warning("%s is repeated after a conflict: %s", function.__qualname__, error)
            time.sleep(PAUSE_SECONDS * attempt)
            attempt += 1

    return run


def persist(store: Callable[[], R], seconds: float = STORE_SECONDS) -> R:
    """Store what must not be lost: while the database is down, try again for some time.

    `store` is one transaction that may be repeated, such as one that checks a lease first.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return store()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() >= until:
                raise
            log.warning("could not store a result yet: %s", error)
            connection.close()
        time.sleep(RECONNECT_SECONDS)

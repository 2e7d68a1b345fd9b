"""Work in bounded portions: a tick does a part of each kind and goes on from there next time.

Between two units of work the process checks whether it has to stop.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any, TypeVar

from django.db.models import QuerySet

log = logging.getLogger(__name__)

MAX_SECONDS = 2.0
"""One kind of work takes no longer of a tick, except for the unit in progress."""
MAX_ROWS = 200
"""The number of rows that one kind of work takes in a tick."""

stopping = threading.Event()
"""Set when this process has to end: it finishes its unit of work and begins no other."""

Unit = TypeVar("Unit")


def stop(**_: Any) -> None:
    """Let the work of this process end soon."""
    stopping.set()


def portion(units: Iterable[Unit], seconds: float = MAX_SECONDS) -> Iterator[Unit]:
    """Yield units of work until their time is over or the process has to stop."""
    until = monotonic() + seconds
    for unit in units:
        if stopping.is_set():
            return
        yield unit
        if monotonic() >= until:
            return


def do_each(steps: Iterable[Callable[[], object]]) -> None:
    """Do all of it, whatever fails; then raise the first failure, and only log the others."""
    errors: list[Exception] = []
    for step in steps:
        try:
            step()
        except Exception as error:
            errors.append(error)
    for other in errors[1:]:
        log.error("another step failed and will be tried again", exc_info=other)
    if errors:
        raise errors[0]


class Rota:
    """Take turns: what was not reached in this tick comes first in the next one."""

    def __init__(self) -> None:
        self._last = 0

    def rows(self, due: "QuerySet[Any, Any]", seconds: float = MAX_SECONDS) -> Iterator[Any]:
        """Yield rows by key, beginning after the last one, each at most once."""
        later = list(due.filter(pk__gt=self._last).order_by("pk")[:MAX_ROWS])
        missing = MAX_ROWS - len(later)
        again = list(due.filter(pk__lte=self._last).order_by("pk")[:missing]) if missing else []
        for row in portion(later + again, seconds):
            self._last = row.pk
            yield row

"""Threads that read walls, so that walls never wait for pages."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

READ_SECONDS = 1.0
THREADS = 2
T = TypeVar("T")


class Readers:
    """Threads with connections to the database. One that does not answer is asked once a second,
    not once for each viewer.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="wall")
        self._ask_again_at = 0.0

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function that uses the database."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._ask_again_at:
            raise OperationalError("The database did not answer a moment ago.")
        try:
            return await loop.run_in_executor(self._threads, _with_database, function)
        except (OperationalError, InterfaceError):
            self._ask_again_at = loop.time() + READ_SECONDS
            raise


def _with_database(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()

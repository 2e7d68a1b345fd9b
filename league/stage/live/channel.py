"""One wall of this process: read at most once a second while somebody listens, else not at all."""

import asyncio
import gzip
import logging
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import time
from typing import TypeVar

from django.db import close_old_connections

from league.stage.wall import Message, Wall
from league.stage.walls import NoSuchWall, WallClosed

READ_SECONDS = 1.0
THREADS = 2
"""Walls are read by threads of their own, so that they never wait for pages."""
_log = logging.getLogger(__name__)
T = TypeVar("T")
Run = Callable[[Callable[[], T]], Awaitable[T]]


class Readers:
    """Threads that read walls."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="wall")

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function that uses the database."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, _with_database, function
        )


def _with_database(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()


class Channel:
    """What one wall tells those who are connected, and those who ask now and then."""

    def __init__(self, slug: str, readers: Readers) -> None:
        self.is_closed = False
        self.listener_count = 0
        self.asked_at = time()
        self.event = b""
        """The latest message as it is broadcast."""
        self._readers = readers
        self._wall = Wall(slug)
        self._lock = asyncio.Lock()
        self._message: Message | None = None
        self._whole: tuple[str, bytes, bytes] | None = None
        self._read_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self._change: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def latest(self) -> Message:
        """Return the state, at most a second old."""
        async with self._lock:
            self.asked_at = time()
            age = asyncio.get_running_loop().time() - self._read_at
            if self._message is None or age >= READ_SECONDS * 0.9:
                await self._read()
            assert self._message is not None
            return self._message

    async def _read(self) -> None:
        self._read_at = asyncio.get_running_loop().time()
        message = await self._readers.run(self._wall.read)
        if self._message is None or message.tag != self._message.tag:
            self._message = message
            self.event = as_event(message)
            self.wake()

    async def whole(self) -> tuple[bytes, bytes]:
        """Return the premiere so far as JSON, plain and compressed; worked out once a second."""
        message = await self.latest()
        async with self._lock:
            if self._whole is None or self._whole[0] != message.tag:
                self._whole = message.tag, *(await self._readers.run(self._compressed_whole))
            return self._whole[1:]

    def _compressed_whole(self) -> tuple[bytes, bytes]:
        body = self._wall.whole().at(time() * 1000)
        return body, gzip.compress(body, 5)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Read the wall again and again while this lasts."""
        self.listener_count += 1
        if self._task is None:
            self._task = asyncio.create_task(self._keep_reading())
        try:
            yield
        finally:
            self.listener_count -= 1
            if not self.listener_count:
                self._task.cancel()
                self._task = None

    async def _keep_reading(self) -> None:
        while True:
            await asyncio.sleep(READ_SECONDS)
            try:
                await self.latest()
            except (NoSuchWall, WallClosed):
                self.close()
                return
            except Exception:
                # The database may be away for a while; whatever it is, the next second may be fine.
                _log.exception("a wall could not be read")

    def close(self) -> None:
        """Let everybody go."""
        self.is_closed = True
        self.wake()

    def wake(self) -> None:
        """Let those who wait look at once."""
        change, self._change = self._change, asyncio.get_running_loop().create_future()
        if not change.done():
            change.set_result(None)

    async def wait(self, gone: "asyncio.Future[None]", seconds: float) -> None:
        """Wait until there is something to do, and at most for some seconds."""
        waited_for = {self._change, gone}
        await asyncio.wait(waited_for, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def as_event(message: Message) -> bytes:
    """Return a message as an event of the stream, with the time of now."""
    return b"data: %s\n\n" % message.at(time() * 1000)

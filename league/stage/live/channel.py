"""One wall of this process: read at most once a second while somebody listens, else not at all."""

import asyncio
import gzip
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import time

from league.stage.live.readers import READ_SECONDS, Readers
from league.stage.panels import Panel
from league.stage.wall import Message, Wall
from league.stage.walls import NoSuchWall, WallClosed

IDLE_SECONDS = 30.0
_log = logging.getLogger(__name__)


class Channel:
    """What one wall tells those who are connected, and those who ask now and then."""

    def __init__(self, slug: str, readers: Readers) -> None:
        loop = asyncio.get_running_loop()
        self.slug = slug
        self.is_closed = False
        self.listener_count = 0
        self.event = b""
        """The latest message as it is broadcast."""
        self._clock = loop.time
        self._asked_at = loop.time()
        self._readers = readers
        self._wall = Wall(slug)
        self._lock = asyncio.Lock()
        self._message: Message | None = None
        self._whole: tuple[str, bytes, bytes] = ("", b"", b"")
        self._read_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self._change: asyncio.Future[None] = loop.create_future()

    @property
    def is_idle(self) -> bool:
        """Return whether nobody listens, or has asked lately."""
        return not self.listener_count and self._asked_at < self._clock() - IDLE_SECONDS

    async def latest(self) -> Message:
        """Return the state, at most a second old."""
        self._asked_at = self._clock()
        if not self._is_fresh():
            # A thread goes on when whoever waits for it is gone, so the lock has to stay taken.
            await asyncio.shield(self._refresh())
        assert self._message is not None
        return self._message

    async def whole(self) -> tuple[bytes, bytes]:
        """Return the premiere so far as JSON, plain and compressed; worked out once a second."""
        message = await self.latest()
        if self._whole[0] != message.tag:
            await asyncio.shield(self._refresh_whole())
        return self._whole[1:]

    async def panel(self, name: str) -> Panel | None:
        """Return a panel of the latest state."""
        await self.latest()
        return self._wall.panels.get(name)

    def _is_fresh(self) -> bool:
        age = self._clock() - self._read_at
        return self._message is not None and age < READ_SECONDS * 0.9

    async def _refresh(self) -> None:
        async with self._lock:
            if self._is_fresh():
                return
            begun_at = self._clock()
            message = await self._readers.run(self._wall.read)
            self._read_at = begun_at
            if self._message is None or message.tag != self._message.tag:
                self._message = message
                self.event = as_event(message)
                self._wake()

    async def _refresh_whole(self) -> None:
        async with self._lock:
            tag = self._message.tag if self._message else ""
            if self._whole[0] != tag:
                self._whole = tag, *(await self._readers.run(self._compressed_whole))

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
        is_failing = False
        while True:
            await asyncio.sleep(READ_SECONDS)
            try:
                await self.latest()
                is_failing = False
            except (NoSuchWall, WallClosed):
                self.close()
                return
            except Exception:
                # The database may be away for a while; whatever it is, the next second may be fine.
                if not is_failing:
                    _log.exception("the wall %r cannot be read", self.slug)
                is_failing = True

    def close(self) -> None:
        """Let everybody go."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        """Let those who wait look at once."""
        change, self._change = self._change, asyncio.get_running_loop().create_future()
        if not change.done():
            change.set_result(None)

    async def wait(self, sent: bytes, gone: "asyncio.Future[None]", seconds: float) -> None:
        """Wait until there is another event than the one that was sent, or something else to do;
        at most for some seconds.
        """
        # What changed while an event was on its way has woken nobody.
        if self.event is sent and not self.is_closed:
            waited_for = {self._change, gone}
            await asyncio.wait(waited_for, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def as_event(message: Message) -> bytes:
    """Return a message as an event of the stream, with the time of now."""
    return b"data: %s\n\n" % message.at(time() * 1000)


@lru_cache(maxsize=64)
def compressed(html: str) -> bytes:
    """Return a panel as it is sent to all viewers."""
    return gzip.compress(html.encode(), 5)

"""The walls that a process follows: those that somebody listens to, and some that are asked for now
and then. Names that belong to no wall take no place among them.
"""

import asyncio
from collections import OrderedDict

from league.stage.live.bounds import TooMany
from league.stage.live.channel import IDLE_SECONDS, Channel
from league.stage.live.readers import Readers

LEAGUE = ""
"""The league's own wall always has a place."""
MAX_LISTENED = 32
"""Walls with streams; viewers of others ask now and then."""
MAX_UNLISTENED = 32
"""Those that were not asked for the longest make room."""
MAX_OPENING = 64
"""Walls that are about to be read for the first time. One after the other is, so that asking for
many, or for names that do not exist, does not hold up the walls that are followed already."""


class Channels:
    """One channel for each wall."""

    def __init__(self) -> None:
        self._readers = Readers()
        self._channels: OrderedDict[str, Channel] = OrderedDict()
        self._openings: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self._sweep: asyncio.TimerHandle | None = None
        self._is_stopping = False

    def __len__(self) -> int:
        return len(self._channels)

    async def find(self, slug: str) -> Channel:
        """Return the channel of a wall, which was read once; nothing is kept if it cannot be."""
        while (channel := self._channels.get(slug)) is None or channel.is_closed:
            await self._open(slug)
        self._channels.move_to_end(slug)
        return channel

    def may_listen(self, channel: Channel) -> bool:
        """Return whether there is room for a stream of this wall."""
        if channel.slug == LEAGUE or channel.listener_count:
            return True
        listened = sum(bool(one.listener_count) for one in self._others())
        return listened < MAX_LISTENED

    def forget(self, slug: str) -> None:
        """Drop a wall that is no more, and let go whoever listens."""
        if channel := self._channels.pop(slug, None):
            channel.close()

    def stop(self) -> None:
        """Let everybody go, and nobody in."""
        self._is_stopping = True
        if self._sweep is not None:
            self._sweep.cancel()
        for slug in list(self._channels):
            self.forget(slug)

    async def _open(self, slug: str) -> None:
        """Read a wall for the first time; once for all who wait for it."""
        opening = self._openings.get(slug)
        if opening is None:
            is_full = slug != LEAGUE and len(self._openings) >= MAX_OPENING
            if self._is_stopping or is_full:
                raise TooMany
            opening = self._openings[slug] = asyncio.create_task(self._read_first(slug))
            opening.add_done_callback(lambda task: self._end_opening(slug, task))
        await asyncio.shield(opening)

    async def _read_first(self, slug: str) -> None:
        channel = Channel(slug, self._readers)
        if slug == LEAGUE:
            await channel.latest()
        else:
            async with self._turn:
                await channel.latest()
        if self._is_stopping:
            raise TooMany
        self._channels[slug] = channel
        self._make_room()

    def _end_opening(self, slug: str, task: "asyncio.Task[None]") -> None:
        del self._openings[slug]
        if not task.cancelled():
            # Whoever waited may be gone, and then nobody asks how it ended.
            task.exception()

    def _make_room(self) -> None:
        unlistened = [one.slug for one in self._others() if not one.listener_count]
        for slug in unlistened[: max(0, len(unlistened) - MAX_UNLISTENED)]:
            del self._channels[slug]
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._drop_idle)

    def _drop_idle(self) -> None:
        """Drop what nobody asks for: a match takes some megabytes."""
        for slug in [slug for slug, channel in self._channels.items() if channel.is_idle]:
            del self._channels[slug]
        self._sweep = None
        if self._channels:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._drop_idle)

    def _others(self) -> list[Channel]:
        """Return all but the league's, those first that were not asked for the longest."""
        return [channel for slug, channel in self._channels.items() if slug != LEAGUE]

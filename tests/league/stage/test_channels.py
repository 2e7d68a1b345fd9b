"""The walls that a process follows, with walls that need no database."""

import asyncio
import time
from contextlib import ExitStack
from typing import ClassVar

import pytest
from django.db import OperationalError

from league.stage.live import channel as channel_module, channels as channels_module
from league.stage.live.bounds import TooMany
from league.stage.live.channels import (
    LEAGUE,
    MAX_LISTENED,
    MAX_OPENING,
    MAX_UNLISTENED,
    Channels,
)
from league.stage.wall import Message
from league.stage.walls import NoSuchWall


class QuickWall:
    """A wall that has something new with every reading."""

    reads: ClassVar[list[str]] = []
    seconds = 0.0
    failure = None

    def __init__(self, slug):
        self.slug = slug
        self.is_reading = False

    def read(self):
        assert not self.is_reading, "read by two threads at the same time"
        self.is_reading = True
        self.reads.append(self.slug)
        time.sleep(self.seconds)
        self.is_reading = False
        if self.failure or self.slug.startswith("no"):
            raise self.failure or NoSuchWall(self.slug)
        return Message(b"{}", str(len(self.reads)))


@pytest.fixture
def wall(monkeypatch):
    """The class of all walls, with what was read."""
    fresh = type("Wall", (QuickWall,), {"reads": []})
    monkeypatch.setattr(channel_module, "Wall", fresh)
    return fresh


def run(test):
    """Run a coroutine that gets channels; nothing of it goes on afterwards."""

    async def main():
        channels = Channels()
        try:
            return await test(channels)
        finally:
            channels.stop()

    return asyncio.run(main())


def test_names_that_belong_to_no_wall_take_no_place(wall):
    async def test(channels):
        for number in range(2 * MAX_LISTENED):
            with pytest.raises(NoSuchWall):
                await channels.find(f"nowhere-{number}")
        assert len(channels) == 0
        assert channels.may_listen(await channels.find("gala"))

    run(test)


def test_beyond_the_bound_walls_have_no_streams_but_answers_and_the_league_has_both(wall):
    async def test(channels):
        with ExitStack() as stack:
            for number in range(MAX_LISTENED):
                channel = await channels.find(f"event-{number}")
                assert channels.may_listen(channel)
                stack.enter_context(channel.listening())
            late = await channels.find("late")
            assert await late.latest()
            assert not channels.may_listen(late)
            assert channels.may_listen(await channels.find(LEAGUE))
            assert channels.may_listen(await channels.find("event-0"))

    run(test)


def test_the_wall_that_was_not_asked_for_the_longest_makes_room(wall):
    async def test(channels):
        await channels.find(LEAGUE)
        for number in range(MAX_UNLISTENED):
            await channels.find(f"event-{number}")
        await channels.find("event-0")
        await channels.find("one more")
        assert len(channels) == MAX_UNLISTENED + 1
        wall.reads.clear()
        for slug in (LEAGUE, "event-0", "event-1"):
            await channels.find(slug)
        assert wall.reads == ["event-1"]

    run(test)


def test_walls_that_nobody_asks_for_are_dropped(wall, monkeypatch):
    for module in (channel_module, channels_module):
        monkeypatch.setattr(module, "IDLE_SECONDS", 0.02)

    async def test(channels):
        listened = await channels.find("gala")
        await channels.find("quiet")
        with listened.listening():
            async with asyncio.timeout(10):
                while len(channels) > 1:
                    await asyncio.sleep(0.02)
            assert await channels.find("gala") is listened

    run(test)


def test_many_who_come_at_once_are_told_what_was_read_once(wall):
    async def test(channels):
        found = await asyncio.gather(*(channels.find("gala") for _ in range(50)))
        await asyncio.gather(*(channel.latest() for channel in found))
        assert wall.reads == ["gala"]

    run(test)


def test_who_asks_for_many_walls_at_once_does_not_hold_up_those_that_are_followed(wall):
    async def test(channels):
        known = await channels.find("gala")
        known._read_at = 0.0
        wall.seconds = 0.01
        asking = [asyncio.create_task(channels.find(f"event-{n}")) for n in range(2 * MAX_OPENING)]
        await asyncio.sleep(0.05)
        before = len(wall.reads)
        await known.latest()
        assert len(wall.reads) - before <= 4
        results = await asyncio.gather(*asking, return_exceptions=True)
        assert sum(isinstance(one, TooMany) for one in results) == MAX_OPENING

    run(test)


def test_a_wall_is_read_by_one_thread_at_a_time_even_if_its_last_listener_goes(wall, monkeypatch):
    monkeypatch.setattr(channel_module, "READ_SECONDS", 0.01)

    async def test(channels):
        channel = await channels.find("gala")
        wall.seconds = 0.1
        with channel.listening():
            while not channel._wall.is_reading:
                await asyncio.sleep(0.005)
        assert await channel.latest()

    run(test)


def test_a_database_that_does_not_answer_is_asked_once_a_second(wall):
    async def test(channels):
        known = await channels.find("gala")
        wall.reads.clear()
        wall.failure = OperationalError("no answer")
        known._read_at = 0.0
        for _ in range(20):
            for asking in (known.latest, lambda: channels.find("other")):
                with pytest.raises(OperationalError):
                    await asking()
        assert wall.reads == ["gala"]

    run(test)


def test_what_changed_while_an_event_was_on_its_way_is_sent_without_waiting(wall):
    async def test(channels):
        channel = await channels.find("gala")
        gone = asyncio.get_running_loop().create_future()
        sent = channel.event
        channel._read_at = 0.0
        await channel.latest()
        async with asyncio.timeout(10):
            await channel.wait(sent, gone, seconds=60)
        assert channel.event is not sent

    run(test)

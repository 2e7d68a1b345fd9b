"""What 200 viewers of one premiere cost the web process, as a share of a core.

`python -m tests.bench.premiere [seconds]` serves a league with uvicorn on both stacks, opens 200
real connections to its wall and reads what they are told, at the usual and at the highest speed:
once as streams, once by asking every 1.5 seconds, like browsers that got no stream.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from league.stage.premiere.clock import MAX_SPEED
from tests.bench.pages_per_second import busy_seconds
from tests.league.home import STACKS, free_port, new_league

SECONDS = 30.0
MAX_MATCH_SECONDS = 80.0
"""At speed 1: matches last longer, so that one goes on for as long as it is measured."""
VIEWERS = 200
POLL_SECONDS = 1.5
MAX_SHARE = 0.5
WARM_UP_SECONDS = 3.0
MAX_LINE = 1 << 20
MADE = """
players = [factories.make_player(None, f"Player {n}") for n in range(5)]
factories.make_match(players, "edel-stein-reich")
"""
BEGUN = """
from django.utils import timezone
from league.stage.models import Stage
Stage.objects.update(
    running_since=timezone.now(), position_ms=0, speed={speed}, take=F("take") + 1
)
"""
REQUEST = "GET /tv/live HTTP/1.1\r\nHost: localhost\r\n{more}\r\n"


@dataclass
class Heard:
    """What all viewers got."""

    messages: int = 0
    byte_count: int = 0
    unchanged: int = 0
    steps: set[int] = field(default_factory=set)

    def forget(self) -> None:
        """Begin to count."""
        self.messages = self.byte_count = self.unchanged = 0
        self.steps.clear()

    def hear(self, line: bytes) -> None:
        """Count a state."""
        self.messages += 1
        self.byte_count += len(line)
        if self.messages % VIEWERS == 1:
            self.steps.add(json.loads(line)["premiere"]["to"])

    def per(self, seconds: float) -> str:
        """Return how much that was in a second."""
        size = self.byte_count / max(1, self.messages) / 1000
        rate, unchanged = self.messages / seconds, self.unchanged / seconds
        return f"{rate:.0f} messages of {size:.1f} KB a second, {unchanged:.0f} unchanged"


Viewer = Callable[[int, Heard], Coroutine[Any, Any, None]]


async def listen(port: int, heard: Heard) -> None:
    """Watch by a stream."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MAX_LINE)
    writer.write(REQUEST.format(more="Accept: text/event-stream\r\n").encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                heard.hear(line[6:])
    finally:
        writer.close()


async def ask(port: int, heard: Heard) -> None:
    """Watch by asking again and again, each time on the same connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    tag = ""
    try:
        while True:
            more = f"If-None-Match: {tag}\r\n" if tag else ""
            writer.write(REQUEST.format(more=more).encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            fields = dict(line.split(": ", 1) for line in head.splitlines()[1:] if ": " in line)
            tag = fields["etag"]
            body = await reader.readexactly(int(fields["content-length"]))
            if body:
                heard.hear(body)
            else:
                heard.unchanged += 1
            await asyncio.sleep(POLL_SECONDS)
    finally:
        writer.close()


async def watch(viewer: Viewer, port: int, pid: int, seconds: float) -> tuple[float, Heard]:
    """Let 200 viewers watch, and return the share of a core that the server used."""
    heard = Heard()
    viewers = [asyncio.create_task(viewer(port, heard)) for _ in range(VIEWERS)]
    await asyncio.sleep(WARM_UP_SECONDS)
    heard.forget()
    begun, worked = time.monotonic(), busy_seconds(pid)
    await asyncio.sleep(seconds)
    share = (busy_seconds(pid) - worked) / (time.monotonic() - begun)
    failed = [task for task in viewers if task.done()]
    for task in viewers:
        task.cancel()
    await asyncio.gather(*viewers, return_exceptions=True)
    assert not failed, f"{len(failed)} viewers lost their connection"
    assert len(heard.steps) > 1, "the match did not go on"
    return share, heard


def main() -> None:
    """Print a line for each stack, speed and way to watch."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    print(f"{VIEWERS} viewers of one premiere: share of a core (at most {MAX_SHARE:.0%})")
    for name, server in STACKS.items():
        with new_league(server=server) as home:
            home.python(MADE)
            port = free_port()
            web = home.start_web(port)
            home.wait_for(f"http://127.0.0.1:{port}/tv/live")
            for speed in (1.0, MAX_SPEED):
                shown_seconds = min(seconds, MAX_MATCH_SECONDS / speed)
                for way, viewer in (("streams", listen), ("polling", ask)):
                    home.python(BEGUN.format(speed=speed))
                    share, heard = asyncio.run(watch(viewer, port, web.pid, shown_seconds))
                    print(f"  {name}, {speed:g}×, {way}: {share:.1%}; {heard.per(shown_seconds)}")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()

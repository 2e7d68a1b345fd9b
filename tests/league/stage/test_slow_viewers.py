"""Viewers who connect and do not read: a real server lets them go."""

import asyncio
import itertools
import socket
from contextlib import asynccontextmanager

import uvicorn

from league.stage.live import application, channel, connection
from league.stage.wall import Message

REQUEST = b"GET /tv/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


class LargeWall:
    """A wall whose messages fill all buffers on the way within a moment."""

    def __init__(self, slug):
        self.tags = map(str, itertools.count())

    def read(self):
        return Message(b'{"much":"%s"}' % (b"x" * 4_000_000), next(self.tags))


@asynccontextmanager
async def served(app):
    """Serve it, and tell the port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None))
    # Its other way to serve takes the signals, which are for the tests.
    serving = asyncio.create_task(server._serve())
    async with asyncio.timeout(20):
        while not server.started:
            await asyncio.sleep(0.01)
    try:
        yield server, server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


def test_who_does_not_read_loses_the_connection_and_makes_room(monkeypatch, settings, caplog):
    settings.ALLOWED_HOSTS = ["localhost"]
    monkeypatch.setattr(channel, "Wall", LargeWall)
    monkeypatch.setattr(channel, "READ_SECONDS", 0.02)
    monkeypatch.setattr(connection, "SLOW_SECONDS", 0.3)
    live = application.Live(None, max_connections=1)

    async def main():
        async with served(live) as (server, port):
            with socket.create_connection(("127.0.0.1", port)) as viewer:
                viewer.sendall(REQUEST)
                async with asyncio.timeout(20):
                    while not live._bounds.count:
                        await asyncio.sleep(0.01)
                    while live._bounds.count or server.server_state.connections:
                        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert "without completing" not in caplog.text

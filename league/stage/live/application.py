"""An ASGI application in front of the site that answers `/tv/live` and nothing else.

The site's own handler answers from threads and streams nothing, so live connections must never
reach it. `Accept: text/event-stream` opens a stream of Server-Sent Events; any other request gets
the same JSON once, with an ETag. Both show only what everybody may see, so nobody is identified.
"""

import asyncio
from contextlib import suppress
from io import BytesIO
from time import time

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import Error

from league.stage.live.answers import Header, answer, headers, refuse, refuse_for_now
from league.stage.live.bounds import Bounds, TooMany
from league.stage.live.channel import Channel, Readers, as_event
from league.stage.walls import NoSuchWall, WallClosed
from league.web import uvicorn_loop
from league.web.bodies.limit import Application, Receive, Scope, Send
from league.web.client_address import counted_address

PATH = "/tv/live"
MAX_WALLS = 32
"""In each process; the walls that nobody has asked for lately make room."""
IDLE_SECONDS = 30
BEAT_SECONDS = 15.0
"""How often a quiet stream shows that it is alive, to proxies and to the page."""
SLOW_SECONDS = 20.0
"""Who takes longer to read a message is dropped. Only the latest is ever kept for anybody."""


class Live:
    """Serves live connections, and hands everything else on."""

    def __init__(self, application: Application, max_connections: int) -> None:
        self._application = application
        self._bounds = Bounds(max_connections)
        self._channels: dict[str, Channel] = {}
        self._readers = Readers()
        self._is_stopping = False
        uvicorn_loop.on_stop.append(self.stop)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._application(scope, receive, send)
            return
        request = ASGIRequest(scope, BytesIO())
        try:
            host = request.get_host()
        except DisallowedHost:
            await refuse(send, 400, "This site has another name.")
            return
        if request.method not in ("GET", "HEAD"):
            await refuse(send, 405, "Only reading is possible here.", (b"allow", b"GET, HEAD"))
        elif settings.SECURE_SSL_REDIRECT and not request.is_secure():
            place = f"https://{host}{request.get_full_path()}".encode()
            await refuse(send, 301, "Use https.", (b"location", place))
        else:
            await self._serve(request, receive, send)

    def stop(self) -> None:
        """Let all connections go, so that the server can end."""
        self._is_stopping = True
        for channel in self._channels.values():
            channel.close()

    async def _serve(self, request: ASGIRequest, receive: Receive, send: Send) -> None:
        slug = request.GET.get("event", "")
        try:
            channel = self._channel(slug)
            await channel.latest()
            if "text/event-stream" in request.headers.get("accept", ""):
                with self._bounds.admit(counted_address(request)):
                    await self._stream(channel, receive, send)
            elif "whole" in request.GET:
                await self._send_whole(channel, request, send)
            else:
                await self._send_state(channel, request, send)
        except NoSuchWall:
            self._channels.pop(slug, None)
            await refuse(send, 404, "There is no such event.")
        except WallClosed:
            self._channels.pop(slug, None)
            await refuse(send, 410, "This event is over.")
        except (TooMany, Error):
            # Without a database there is nothing to tell, either.
            await refuse_for_now(send)

    def _channel(self, slug: str) -> Channel:
        channel = self._channels.get(slug)
        if channel is None or channel.is_closed:
            if self._is_stopping or (len(self._channels) >= MAX_WALLS and not self._make_room()):
                raise TooMany
            channel = self._channels[slug] = Channel(slug, self._readers)
        return channel

    def _make_room(self) -> bool:
        """Forget a wall that nobody looks at."""
        idle = [
            slug
            for slug, channel in self._channels.items()
            if not channel.listener_count and channel.asked_at < time() - IDLE_SECONDS
        ]
        for slug in idle:
            del self._channels[slug]
        return bool(idle)

    async def _send_state(self, channel: Channel, request: ASGIRequest, send: Send) -> None:
        message = await channel.latest()
        now_ms = time() * 1000
        tag = f'"{message.tag}"'
        more: list[Header] = [
            (b"etag", tag.encode()),
            (b"x-server-time", str(int(now_ms)).encode()),
        ]
        if request.headers.get("if-none-match") == tag:
            await answer(send, 304, b"", *more)
        else:
            await answer(send, 200, _body(request, message.at(now_ms)), *more)

    async def _send_whole(self, channel: Channel, request: ASGIRequest, send: Send) -> None:
        plain, compressed = await channel.whole()
        if "gzip" in request.headers.get("accept-encoding", ""):
            encoding = (b"content-encoding", b"gzip")
            await answer(send, 200, _body(request, compressed), encoding)
        else:
            await answer(send, 200, _body(request, plain))

    async def _stream(self, channel: Channel, receive: Receive, send: Send) -> None:
        # nginx would collect what is said before it passes it on.
        head = headers("text/event-stream", (b"x-accel-buffering", b"no"))
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            with channel.listening(), suppress(TimeoutError):
                await send({"type": "http.response.start", "status": 200, "headers": head})
                await self._send_events(channel, gone, send)
                await _send(send, b"", more=False)
        finally:
            gone.cancel()

    async def _send_events(
        self, channel: Channel, gone: "asyncio.Future[None]", send: Send
    ) -> None:
        message = await channel.latest()
        sent = channel.event
        await _send(send, b"retry: 2000\n\n" + as_event(message))
        while True:
            await channel.wait(gone, BEAT_SECONDS)
            if gone.done() or channel.is_closed:
                return
            event = channel.event
            await _send(send, _beat() if event is sent else event)
            sent = event


def _beat() -> bytes:
    return b"event: beat\ndata: %d\n\n" % (time() * 1000)


def _body(request: ASGIRequest, body: bytes) -> bytes:
    return b"" if request.method == "HEAD" else body


async def _send(send: Send, body: bytes, more: bool = True) -> None:
    async with asyncio.timeout(SLOW_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

"""An ASGI application in front of the site that answers `/tv/live` and nothing else.

The site's own handler answers from threads and streams nothing, so live connections must never
reach it. `Accept: text/event-stream` opens a stream of Server-Sent Events; any other request gets
the same JSON once, with an ETag. Both show only what everybody may see, so nobody is identified.
"""

import asyncio
from io import BytesIO
from time import time

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.db import Error

from league.stage.live.answers import Header, answer, headers, refuse, refuse_for_now
from league.stage.live.bounds import Bounds, TooMany
from league.stage.live.channel import Channel, as_event, compressed
from league.stage.live.channels import Channels
from league.stage.live.connection import abort, send_part, until_gone
from league.stage.walls import NoSuchWall, WallClosed
from league.web import uvicorn_loop
from league.web.bodies.limit import Application, Receive, Scope, Send
from league.web.client_address import counted_address

PATH = "/tv/live"
BEAT_SECONDS = 15.0
"""How often a quiet stream shows that it is alive, to proxies and to the page."""


class Live:
    """Serves live connections, and hands everything else on."""

    def __init__(self, application: Application, max_connections: int) -> None:
        self._application = application
        self._bounds = Bounds(max_connections)
        self._channels = Channels()
        uvicorn_loop.on_stop.append(self._channels.stop)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._application(scope, receive, send)
            return
        request = ASGIRequest(scope, BytesIO())
        try:
            host, slug = request.get_host(), request.GET.get("event", "")
        except SuspiciousOperation:
            await refuse(send, 400, "This is the address of another site, or of none.")
            return
        if request.method not in ("GET", "HEAD"):
            await refuse(send, 405, "Only reading is possible here.", (b"allow", b"GET, HEAD"))
        elif settings.SECURE_SSL_REDIRECT and not request.is_secure():
            place = f"https://{host}{request.get_full_path()}".encode()
            await refuse(send, 301, "Use https.", (b"location", place))
        else:
            await self._serve(slug, request, receive, send)

    async def _serve(self, slug: str, request: ASGIRequest, receive: Receive, send: Send) -> None:
        try:
            channel = await self._channels.find(slug)
            if _wants_stream(request):
                if not self._channels.may_listen(channel):
                    raise TooMany
                with self._bounds.admit(counted_address(request), slug), channel.listening():
                    await self._stream(channel, receive, send)
            elif "panel" in request.GET:
                await self._send_panel(channel, request, send)
            elif "whole" in request.GET:
                await self._send_whole(channel, request, send)
            else:
                await self._send_state(channel, request, send)
        except NoSuchWall:
            self._channels.forget(slug)
            await refuse(send, 404, "There is no such event.")
        except WallClosed:
            self._channels.forget(slug)
            await refuse(send, 410, "This event is over.")
        except (TooMany, Error):
            # Without a database there is nothing to tell, either.
            await refuse_for_now(send)

    async def _send_state(self, channel: Channel, request: ASGIRequest, send: Send) -> None:
        message = await channel.latest()
        now_ms = time() * 1000
        tag = f'"{message.tag}"'
        more: list[Header] = [
            (b"etag", tag.encode()),
            (b"x-server-time", str(int(now_ms)).encode()),
        ]
        # A proxy that compresses an answer makes its tag a weak one.
        if tag in request.headers.get("if-none-match", ""):
            await answer(send, 304, b"", *more)
        else:
            await answer(send, 200, _body(request, message.at(now_ms)), *more)

    async def _send_whole(self, channel: Channel, request: ASGIRequest, send: Send) -> None:
        plain, packed = await channel.whole()
        await _send_compressed(send, request, "application/json", plain, packed)

    async def _send_panel(self, channel: Channel, request: ASGIRequest, send: Send) -> None:
        panel = await channel.panel(request.GET["panel"])
        if panel is None:
            await refuse(send, 404, "This wall has no such panel.")
            return
        digest = (b"x-digest", panel.digest.encode())
        plain, packed = panel.html.encode(), compressed(panel.html)
        await _send_compressed(send, request, "text/html; charset=utf-8", plain, packed, digest)

    async def _stream(self, channel: Channel, receive: Receive, send: Send) -> None:
        message = await channel.latest()
        # nginx would collect what is said before it passes it on.
        head = headers("text/event-stream", (b"x-accel-buffering", b"no"))
        gone = asyncio.ensure_future(until_gone(receive))
        try:
            sent = channel.event
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send_part(send, b"retry: 2000\n\n" + as_event(message))
            await _send_events(channel, sent, gone, send)
            await send_part(send, b"", more=False)
        except TimeoutError:
            await abort(send, gone)
        finally:
            gone.cancel()


async def _send_events(
    channel: Channel, sent: bytes, gone: "asyncio.Future[None]", send: Send
) -> None:
    """Send each new event, and a beat if there is none for a while."""
    while not (gone.done() or channel.is_closed):
        await channel.wait(sent, gone, BEAT_SECONDS)
        if gone.done() or channel.is_closed:
            return
        event = channel.event
        await send_part(send, _beat() if event is sent else event)
        sent = event


def _wants_stream(request: ASGIRequest) -> bool:
    is_asked_for = "text/event-stream" in request.headers.get("accept", "")
    return request.method == "GET" and is_asked_for


def _beat() -> bytes:
    return b"event: beat\ndata: %d\n\n" % (time() * 1000)


def _body(request: ASGIRequest, body: bytes) -> bytes:
    return b"" if request.method == "HEAD" else body


async def _send_compressed(
    send: Send, request: ASGIRequest, content_type: str, plain: bytes, packed: bytes, *more: Header
) -> None:
    """Send the compressed form to those who understand it."""
    body = plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, more = packed, (*more, (b"content-encoding", b"gzip"))
    await answer(send, 200, _body(request, body), *more, content_type=content_type)

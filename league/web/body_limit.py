"""A limit on request bodies, enforced by their declared length or while they arrive.

Django would store a whole body before anybody looks at it. Here one that is too large is cut off
and marked, and `league.web.middleware` answers 413; no view ever sees the rest.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MARK = "karat.body_too_large"
MAX_DISCARDED = 4 << 20
"""A body up to this is read to its end and thrown away, so that a browser comes to read the answer;
beyond it the connection is closed after the answer."""
_END: Message = {"type": "http.request", "body": b"", "more_body": False}


class BodyLimit:
    """An application whose requests have bodies of at most `max_bytes`."""

    def __init__(self, application: Application, max_bytes: int) -> None:
        self._application = application
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            body = _Body(scope, receive, send, self._max_bytes)
            receive, send = body.receive, body.send
        await self._application(scope, receive, send)


class _Body:
    """The body of one request as it arrives, and its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, max_bytes: int) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._max_bytes = max_bytes
        self._byte_count = 0
        self._ended = False
        self._declared = _declared_length(scope)

    async def receive(self) -> Message:
        """Return the next part; the end of the body as soon as it is known to be too large."""
        if self._ended and MARK in self._scope:
            # Ignore whatever else arrives; the server ends this when it has answered.
            await asyncio.Event().wait()
        if self._declared > self._max_bytes:
            return await self._refuse()
        message = await self._receive()
        if message["type"] == "http.request":
            self._byte_count += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._byte_count > self._max_bytes:
                return await self._refuse()
        return message

    async def _refuse(self) -> Message:
        self._scope[MARK] = True
        if self._declared <= MAX_DISCARDED:
            await self._discard()
        self._ended = True
        return _END

    async def _discard(self) -> None:
        while not self._ended and self._byte_count <= MAX_DISCARDED:
            message = await self._receive()
            self._byte_count += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)

    async def send(self, message: Message) -> None:
        """Send a part of the answer; to a body that was cut off it closes the connection."""
        if message["type"] == "http.response.start" and MARK in self._scope:
            headers = [*message.get("headers", []), (b"connection", b"close")]
            message = {**message, "headers": headers}
        await self._send(message)


def _declared_length(scope: Scope) -> int:
    """Return the length that the request says its body has; 0 if it says none."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0

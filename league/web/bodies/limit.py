"""A limit on request bodies, enforced by their declared length or while they arrive.

Django would store a whole body before anybody looks at it. Here one that is too large is cut off
and marked, and `league.web.middleware` answers with the refusal; no view ever sees the rest.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any

from league.errors import Refused
from league.web.bodies.large import BODY_SECONDS, LargeBodies, max_bytes

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MARK = "karat.refused_body"
MAX_DISCARDED = 4 << 20
"""A body up to this is read to its end and thrown away, so that a browser comes to read the answer;
beyond it the connection is closed after the answer."""
_END: Message = {"type": "http.request", "body": b"", "more_body": False}


class BodyLimit:
    """An application whose requests have bodies of at most `max_bytes`, but for uploads."""

    def __init__(
        self, application: Application, max_bytes: int, large: LargeBodies | None = None
    ) -> None:
        self._application = application
        self._max_bytes = max_bytes
        self._large = large

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif self._large and _declared_length(scope) > self._max_bytes and _may_be_large(scope):
            await self._serve_large(self._large, scope, receive, send)
        else:
            await self._serve(_Body(scope, receive, send, self._max_bytes))

    async def _serve_large(
        self, large: LargeBodies, scope: Scope, receive: Receive, send: Send
    ) -> None:
        try:
            async with large.admit(scope) as limit:
                await self._serve(self._large_body(scope, receive, send, limit))
        except Refused as refused:
            body = _Body(scope, receive, send, 0)
            body.drop(refused)
            await self._serve(body)

    def _large_body(self, scope: Scope, receive: Receive, send: Send, limit: int) -> "_Body":
        if limit:
            return _Body(scope, receive, send, limit, BODY_SECONDS)
        body = _Body(scope, receive, send, self._max_bytes)
        if scope["path"].startswith("/api/"):
            # The endpoint says what is wrong with the key, without any body.
            body.drop()
        else:
            reason = f"Only members can send more than {self._max_bytes >> 10} KB; sign in first"
            body.drop(Refused("L009", status=413, reason=reason))
        return body

    async def _serve(self, body: "_Body") -> None:
        await self._application(body.scope, body.receive, body.send)


class _Body:
    """The body of one request as it arrives, and its answer."""

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        limit: int,
        seconds: float | None = None,
    ) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self._max_bytes = limit
        self._byte_count = 0
        self._ended = False
        self._dropped = False
        self._declared = _declared_length(scope)
        self._until = None if seconds is None else monotonic() + seconds

    def drop(self, refused: Refused | None = None) -> None:
        """Let nobody read the body, and close the connection after the answer."""
        self._dropped = True
        if refused is not None:
            self.scope[MARK] = refused

    async def receive(self) -> Message:
        """Return the next part; the end of the body as soon as it is known to be too large."""
        if self._ended and self._dropped:
            # Ignore whatever else arrives; the server ends this when it has answered.
            await asyncio.Event().wait()
        if self._dropped or self._declared > self._max_bytes:
            return await self._refuse()
        try:
            message = await self._next()
        except TimeoutError:
            self.drop(Refused("L009", status=408, reason="What you sent came too slowly"))
            self._ended = True
            return _END
        if message["type"] == "http.request":
            self._byte_count += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._byte_count > self._max_bytes:
                return await self._refuse()
        return message

    async def _next(self) -> Message:
        if self._until is None:
            return await self._receive()
        return await asyncio.wait_for(self._receive(), self._until - monotonic())

    async def _refuse(self) -> Message:
        if not self._dropped:
            limit = f"{self._max_bytes >> 10} KB"
            reason = f"What you sent is larger than the limit of {limit}"
            self.drop(Refused("L009", status=413, reason=reason))
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
        if message["type"] == "http.response.start" and self._dropped:
            headers = [*message.get("headers", []), (b"connection", b"close")]
            message = {**message, "headers": headers}
        await self._send(message)


def _may_be_large(scope: Scope) -> bool:
    return max_bytes(scope["method"], scope["path"]) > max_bytes("GET", "/")


def _declared_length(scope: Scope) -> int:
    """Return the length that the request says its body has; 0 if it says none."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0

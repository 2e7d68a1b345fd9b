"""The connection of one viewer, who may be slow, and may be gone."""

import asyncio

from league.web.bodies.limit import Receive, Send

SLOW_SECONDS = 20.0
"""Who takes longer to read a message is dropped. Only the latest is ever kept for anybody."""
ABORT_SECONDS = 1.0


async def send_part(send: Send, body: bytes, more: bool = True) -> None:
    """Send a part of an answer; a `TimeoutError` if the viewer does not read."""
    async with asyncio.timeout(SLOW_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def until_gone(receive: Receive) -> None:
    """Wait until the viewer is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def abort(send: Send, gone: "asyncio.Future[None]") -> None:
    """Close a connection and drop what its viewer did not read.

    Otherwise the socket would stay until that is read. ASGI has no word for it, but uvicorn's
    `send` belongs to an object that has the transport.
    """
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()
        await asyncio.wait({gone}, timeout=ABORT_SECONDS)

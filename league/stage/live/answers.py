"""What is answered at the address of live connections, with the headers that pages have."""

import json
from typing import Any

from django.conf import settings

from league.web.bodies.limit import Send

Header = tuple[bytes, bytes]
RETRY_SECONDS = 30


def headers(content_type: str, *more: Header) -> list[Header]:
    """Return the headers of an answer that nobody may frame, guess about, or keep."""
    https = settings.SECURE_HSTS_SECONDS
    hsts = f"max-age={https}; includeSubDomains; preload".encode()
    return [
        (b"content-type", content_type.encode()),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
        *([(b"strict-transport-security", hsts)] if https else []),
        *more,
    ]


async def answer(
    send: Send, status: int, body: bytes, *more: Header, content_type: str = "application/json"
) -> None:
    """Send a whole answer."""
    length = (b"content-length", str(len(body)).encode())
    head = headers(content_type, length, *more)
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, status: int, text: str, *more: Header) -> None:
    """Send a reason in words."""
    body: dict[str, Any] = {"status": status, "detail": text}
    await answer(send, status, json.dumps(body).encode(), *more)


async def refuse_for_now(send: Send) -> None:
    """Say that there is no room, and when to try again."""
    retry = (b"retry-after", str(RETRY_SECONDS).encode())
    await refuse(send, 503, "Too many live connections. Ask now and then instead.", retry)

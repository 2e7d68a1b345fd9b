"""Serves requests in threads that live as long as the process.

Django's own handler starts a thread for every request and passes each middleware and view through
the event loop. A thread that stays keeps its connections to the database and to the cache, and here
a request changes threads once. No view of the league is asynchronous or streams.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from league.web.bodies.limit import Receive, Scope, Send
from league.web.guest_pages import MEMORY, Memory

THREADS = 32
"""Twice the connections of the pool, so that a page without queries never waits for one with."""

Header = tuple[bytes, bytes]


class ThreadHandler(ASGIHandler):
    """Django as an ASGI application whose middleware and views all run in one thread each time."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware(is_async=False)
        self._guest_pages = Memory()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            raise ValueError(f"Only HTTP is served here, not {scope['type']}.")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._threads, self._answer, scope, body)
        status, headers, content = answer
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, scope: Scope, body: IO[bytes]) -> tuple[int, list[Header], bytes]:
        """Return status, headers and content, after everything of this request is closed."""
        scope[MEMORY] = self._guest_pages
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        response._handler_class = self.__class__
        try:
            return response.status_code, _headers(response), _content(response)
        finally:
            response.close()


def _headers(response: HttpResponseBase) -> list[Header]:
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    cookies = (cookie.output(header="").strip() for cookie in response.cookies.values())
    return [*headers, *((b"Set-Cookie", cookie.encode("ascii")) for cookie in cookies)]


def _content(response: HttpResponseBase | Any) -> bytes:
    return response.content if isinstance(response, HttpResponse) else b"".join(response)

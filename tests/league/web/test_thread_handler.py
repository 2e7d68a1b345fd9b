"""Requests are served in threads that stay."""

import asyncio
import threading

from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from league.web.thread_handler import ThreadHandler


def show_thread(request: HttpRequest) -> HttpResponse:
    """Answer with the thread, and with what was sent."""
    response = HttpResponse(f"{threading.get_ident()} {request.body.decode()}")
    response.set_cookie("one", "1")
    response.set_cookie("two", "2")
    return response


urlpatterns = [path("thread/", show_thread)]


async def ask(handler, address="/thread/", body=b""):
    """Return status, headers and content of an answer."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-length", str(len(body)).encode())],
    }
    asked = ApplicationCommunicator(handler, scope)
    await asked.send_input({"type": "http.request", "body": body, "more_body": False})
    start = await asked.receive_output(10)
    content = await asked.receive_output(10)
    await asked.wait()
    return start["status"], start["headers"], content["body"]


async def ask_twice():
    """Ask one handler for two answers, one after the other."""
    handler = ThreadHandler()
    return [await ask(handler, body=b"hello"), await ask(handler, body=b"hello")]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_two_requests_one_after_the_other_share_a_thread():
    (status, headers, first), (_, _, second) = asyncio.run(ask_twice())
    assert status == 200
    assert first == second != f"{threading.get_ident()} hello".encode()
    assert first.endswith(b" hello")
    assert [name for name, _ in headers].count(b"Set-Cookie") == 2

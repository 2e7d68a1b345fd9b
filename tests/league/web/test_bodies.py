"""Bodies that are too large, sent to a real server: refused at once, in a form that fits."""

import json
import socket
from contextlib import ExitStack
from time import sleep
from uuid import UUID

import pytest

from tests.league.home import free_port

LIMIT = 1 << 20
FLOOD = 64 << 20
BUFFERS = 16 << 20
"""What two kernels' buffers and a body that is thrown away may take of a flood."""
PIECE = b"x" * (1 << 16)


def send(port, path, length=None, total=FLOOD, method="POST", **headers):
    """Send a body until the server stops taking it; how much went out, and the answer."""
    if length is None:
        headers["Transfer-Encoding"] = "chunked"
    else:
        headers["Content-Length"] = length
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    piece = PIECE if length is not None else b"%x\r\n%s\r\n" % (len(PIECE), PIECE)
    byte_count = 0
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        wire.sendall(head)
        try:
            while byte_count < total:
                wire.sendall(piece)
                byte_count += len(PIECE)
            if length is None:
                wire.sendall(b"0\r\n\r\n")
        except OSError:
            pass
        answer = b""
        try:
            while part := wire.recv(1 << 16):
                answer += part
        except OSError:
            pass
    return byte_count, answer


@pytest.fixture
def port(home):
    """A site that runs as `make run` starts it."""
    port = free_port()
    home.start_web(port)
    home.wait_for(f"http://localhost:{port}/healthz")
    return port


def test_a_large_body_is_cut_off_at_the_door(port):
    for length in (FLOOD, None):
        for path in ("/bots/check/", "/api/v1/bots"):
            byte_count, _ = send(port, path, length)
            assert byte_count < BUFFERS, (path, length)
    for length in (2 * LIMIT, None):
        _, page = send(port, "/bots/check/", length, total=2 * LIMIT)
        head, _, body = page.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 413")
        assert b"content-security-policy" in head.lower()
        assert b"L009" in body
        assert b"1024 KB" in body
        _, answer = send(port, "/api/v1/bots", length, total=2 * LIMIT)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b"application/problem+json" in head
        assert {"status": 413, "code": "L009"}.items() <= json.loads(body).items()
    # A body of a fair size goes to the view, whose form lacks its secret.
    _, page = send(port, "/bots/check/", 4 * len(PIECE), total=4 * len(PIECE))
    assert page.startswith(b"HTTP/1.1 403")


UPLOADS = [
    ("POST", "/api/v1/bots/shark/versions"),
    ("PUT", f"/api/v1/uploads/{UUID(int=1)}/blobs/{'a' * 64}"),
]
FORM = {"Content-Type": "multipart/form-data; boundary=rim"}


@pytest.fixture
def key(home):
    return home.python(
        "user = factories.make_user('mira')\n"
        "factories.make_bot(user, 'Shark')\n"
        "tell({scope: factories.make_key(user, scope) for scope in ('upload', 'read')})"
    )


def status_of(answer):
    return int(answer.split(b" ", 2)[1])


def test_only_members_may_send_large_uploads(port, key):
    large = 8 * LIMIT
    for method, path in UPLOADS:
        for secret, expected in (("karat_nobody", 401), (key["read"], 403)):
            bearer = FORM | {"Authorization": f"Bearer {secret}"}
            byte_count, answer = send(port, path, large, large, method, **bearer)
            assert status_of(answer) == expected, (path, answer)
            assert byte_count < large
        byte_count, answer = send(port, path, large, large, method)
        assert status_of(answer) == 401
        bearer = FORM | {"Authorization": f"Bearer {key['upload']}"}
        byte_count, answer = send(port, path, large, large, method, **bearer)
        # Read to its end, and then refused for what it is.
        assert byte_count == large
        assert status_of(answer) in {400, 404, 422}, answer
        byte_count, answer = send(port, path, 90 * LIMIT, FLOOD, method, **bearer)
        assert status_of(answer) == 413, answer
        assert byte_count < BUFFERS
    for path in ("/bots/new/", "/bots/shark/versions/new/"):
        byte_count, page = send(port, path, large, large)
        assert status_of(page) == 413
        assert b"sign in first" in page
    bearer = {"Authorization": f"Bearer {key['upload']}"}
    _, answer = send(port, "/api/v1/bots", 2 * LIMIT, 2 * LIMIT, **bearer)
    assert status_of(answer) == 413


def test_a_member_sends_large_forms_from_the_browser_too(port, home):
    cookie = home.python(
        "from importlib import import_module\n"
        "from django.conf import settings\n"
        "from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY\n"
        "user = factories.make_user('mira')\n"
        "session = import_module(settings.SESSION_ENGINE).SessionStore()\n"
        "session[SESSION_KEY] = str(user.pk)\n"
        "session[BACKEND_SESSION_KEY] = 'django.contrib.auth.backends.ModelBackend'\n"
        "session[HASH_SESSION_KEY] = user.get_session_auth_hash()\n"
        "session.create()\n"
        "tell(session.session_key)"
    )
    large = 8 * LIMIT
    byte_count, page = send(port, "/bots/new/", large, large, Cookie=f"karat_session={cookie}")
    assert byte_count == large
    # It came to the view, whose form lacks its secret.
    assert status_of(page) == 403
    _, page = send(port, "/bots/new/", large, large, Cookie="karat_session=madeup")
    assert status_of(page) == 413


def test_a_member_has_two_large_bodies_at_a_time(port, key):
    path = "/api/v1/bots/shark/versions"
    bearer = FORM | {"Authorization": f"Bearer {key['upload']}"}
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {8 * LIMIT}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in bearer.items()) + "\r\n"
    with ExitStack() as stack:
        for _ in range(2):
            wire = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            wire.sendall(head.encode() + PIECE)
        sleep(1)
        _, answer = send(port, path, 8 * LIMIT, 8 * LIMIT, **bearer)
        assert status_of(answer) == 429
        assert b"retry-after: 20" in answer.lower()
    sleep(1)
    _, answer = send(port, path, 8 * LIMIT, 8 * LIMIT, **bearer)
    assert status_of(answer) in {400, 422}

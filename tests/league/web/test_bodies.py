"""Bodies that are too large, sent to a real server: refused at once, in a form that fits."""

import json
import socket

import pytest

from tests.league.home import free_port

LIMIT = 1 << 20
FLOOD = 64 << 20
BUFFERS = 16 << 20
"""What two kernels' buffers and a body that is thrown away may take of a flood."""
PIECE = b"x" * (1 << 16)


def send(port, path, length=None, total=FLOOD):
    """Send a body until the server stops taking it; how much went out, and the answer."""
    kind = f"Content-Length: {length}" if length is not None else "Transfer-Encoding: chunked"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}\r\n\r\n".encode()
    )
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

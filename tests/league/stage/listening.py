"""A listener of live connections, as small as possible: many of them fit into one test."""

import json
import socket
from http.client import HTTPConnection
from urllib.parse import quote

SECONDS = 10


class Listener:
    """A stream of one wall."""

    def __init__(self, port, event="", address="127.0.0.1", **headers):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        lines = {"Host": "127.0.0.1", "Accept": "text/event-stream", **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
        path = f"/tv/live?event={quote(event)}" if event else "/tv/live"
        self._socket.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers = dict(self._header_lines())
        self.lines = self._lines()

    def _header_lines(self):
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            yield name.lower(), value

    def _lines(self):
        """Yield the lines of the stream until it ends."""
        while size := int(self._file.readline().strip() or b"0", 16):
            yield from self._file.read(size).decode().splitlines()
            self._file.readline()

    def state(self):
        """Return the next state."""
        return next(json.loads(line[6:]) for line in self.lines if line.startswith("data: {"))

    def is_at_its_end(self):
        """Return whether the server closes it within some seconds."""
        return all(True for _ in self.lines)

    def close(self):
        """Go away."""
        self._file.close()
        self._socket.close()


def ask(port, path="/tv/live", method="GET", **headers):
    """Return status, headers and body of one answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=named)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.headers.items()}, body

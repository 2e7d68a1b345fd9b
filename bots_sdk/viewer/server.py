"""`karat watch`: the replay viewer for a file of records, on a port only this machine can reach.

The page, the viewer's files, the records with their redacted copies; nothing is written, and
nothing hidden leaves for a redacted view.
"""

import html
import json
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bots_sdk.viewer.files import ENTRY, FOLDER, STYLES, find_file, game_file
from bots_sdk.viewer.page import replay_html, sprite
from bots_sdk.viewer.replay import EVERYTHING, record_for, replay_of, view_names
from engine.record.reading import MAX_BYTES, RecordError, read
from engine.record.recorder import Record

TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
Query = dict[str, str]


class Missing(LookupError):
    """There is nothing at this address."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The records of a file: one `.json`, or a line each in a `.jsonl`."""

    path: Path
    places: tuple[tuple[int, int], ...]
    """Where each record begins, and its length."""

    @classmethod
    def of(cls, path: Path) -> "Matches":
        """Find the records without keeping them in memory."""
        if path.suffix != ".jsonl":
            return cls(path, ((0, path.stat().st_size),))
        places, at = [], 0
        with path.open("rb") as file:
            for line in file:
                if line.strip():
                    places.append((at, len(line)))
                at += len(line)
        return cls(path, tuple(places))

    def record(self, number: int) -> Record:
        """Return the record with this number, from 1."""
        if not 1 <= number <= len(self.places):
            raise Missing(f"There is no match {number}.")
        at, length = self.places[number - 1]
        with self.path.open("rb") as file:
            file.seek(at)
            return read(file.read(min(length, MAX_BYTES + 1)))


def serve(path: Path, *, port: int = 0, browser: bool = True) -> None:
    """Show the matches of a file until Ctrl-C; `port` 0 takes any that is free."""
    with server(path, port) as running:
        address = f"http://127.0.0.1:{running.server_port}/"
        print(f"Showing {path} at {address} – Ctrl-C ends it.", flush=True)
        if browser:
            webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print("\nEnded.")


def server(path: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server for the matches of a file, bound to loopback and not yet serving.

    A file whose first record cannot be read is refused here, with `RecordError`.
    """
    matches = Matches.of(path)
    if not matches.places:
        raise RecordError("", "there is no record in this file")
    matches.record(1)
    handler = type("Handler", (_Handler,), {"matches": matches})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers with pages and JSON; every answer carries the same strict policy."""

    matches: Matches
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with a page or a file, or say in a sentence why it is not there."""
        address = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        try:
            self._check_host()
            self._answer(HTTPStatus.OK, *self._find(address.path, query))
        except Missing as error:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", str(error))
        except RecordError as error:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            self._answer(status, "text/plain; charset=utf-8", f"This record: {error}.")

    def _check_host(self) -> None:
        """Refuse a name of another site that leads here: that site must not read the records."""
        if self.headers.get("Host", "").split(":")[0] not in ("127.0.0.1", "localhost"):
            raise Missing("Nothing is served under this name.")

    def _find(self, path: str, query: Query) -> tuple[str, str | bytes]:
        if path == "/":
            return "text/html; charset=utf-8", _page(self.matches, query)
        if path == "/record.json":
            return "application/json", json.dumps(_record(self.matches, query))
        if path.startswith(("/viewer/", "/games/")):
            return _static_file(path)
        raise Missing("There is no such page.")

    def _answer(self, status: HTTPStatus, kind: str, body: str | bytes) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        with suppress(ConnectionError):  # The browser went on to another page.
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  given by the library
        """Keep the terminal quiet; the browser shows what goes wrong."""


def _static_file(address: str) -> tuple[str, bytes]:
    file = find_file(address)
    if file is None:
        raise Missing("There is no such file.")
    return TYPES[file.suffix], file.read_bytes()


def _number(query: Query, name: str = "match", default: str = "1") -> int:
    text = query.get(name, default)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _view(query: Query, record: Record) -> str:
    """Return the view that a query names: everything, the public's, or a seat by its letter."""
    name = query.get("view", EVERYTHING)
    views = {view.lower(): view for view in view_names(len(record["seats"]))}
    if name.lower() not in views:
        raise Missing(f"There is no view {name!r}; there are {', '.join(views.values())}.")
    return views[name.lower()]


def _record(matches: Matches, query: Query) -> Record:
    record = matches.record(_number(query))
    return record_for(record, _view(query, record))


def _page(matches: Matches, query: Query) -> str:
    number = _number(query)
    record = matches.record(number)
    replay = replay_of(
        record,
        view=_view(query, record),
        views=view_names(len(record["seats"])),
        record_url=f"/record.json?match={number}",
        page_url=f"/?match={number}",
        step=_number(query, "step", "0"),
    )
    return (
        (FOLDER / "watch.html")
        .read_text(encoding="utf-8")
        .format(
            file=html.escape(matches.path.name),
            table=_table_files(record["game"]),
            picker=_picker(len(matches.places), number),
            sprite=sprite(),
            replay=replay_html(replay),
        )
    )


def _table_files(slug: str) -> str:
    """Return links to style sheets and modules; a game registers its table before all starts."""
    styles = [*STYLES, game_file(slug, "viewer.css")]
    scripts = [game_file(slug, "viewer.js"), ENTRY]
    links = [f'<link rel="stylesheet" href="{name}">' for name in styles if name]
    links += [f'<script type="module" src="{name}"></script>' for name in scripts if name]
    return "\n".join(links)


def _picker(count: int, number: int) -> str:
    """Return a form that leads to the other matches of the file, if there are any."""
    if count == 1:
        return ""
    return (
        '<form class="picker"><label>Match '
        f'<input type="number" name="match" min="1" max="{count}" value="{number}" required>'
        f" of {count:,}</label> <button>Show</button></form>"
    )

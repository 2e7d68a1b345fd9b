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

from bots_sdk.viewer.page import FOLDER as VIEWER, Replay, replay_html, sprite
from engine.game import PUBLIC, SEAT_LETTERS, Seat
from engine.record.insight import NO_INSIGHT, MatchInsight, insight
from engine.record.reading import MAX_BYTES, RecordError, read
from engine.record.recorder import Record
from engine.record.redact import redact
from engine.registry import GAMES

EVERYTHING = "everything"
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
        places, begun = [], 0
        with path.open("rb") as file:
            for line in file:
                if line.strip():
                    places.append((begun, len(line)))
                begun += len(line)
        return cls(path, tuple(places))

    def record(self, number: int) -> Record:
        """The record with this number, from 1."""
        if not 1 <= number <= len(self.places):
            raise Missing(f"There is no match {number}.")
        begun, length = self.places[number - 1]
        with self.path.open("rb") as file:
            file.seek(begun)
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
    """A server for the matches of a file, bound to loopback and not yet serving.

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
        """Find what is asked for, or say in a sentence why it is not there."""
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
        """A name of another site that leads here must not read the records for that site."""
        if self.headers.get("Host", "").split(":")[0] not in ("127.0.0.1", "localhost"):
            raise Missing("Nothing is served under this name.")

    def _find(self, path: str, query: Query) -> tuple[str, str | bytes]:
        if path == "/":
            return "text/html; charset=utf-8", _page(self.matches, query)
        if path == "/record.json":
            return "application/json", json.dumps(_record(self.matches, query))
        if path.startswith("/viewer/"):
            return _viewer_file(path.removeprefix("/viewer/"))
        raise Missing("There is no such page.")

    def _answer(self, status: HTTPStatus, kind: str, body: str | bytes) -> None:
        sent = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        with suppress(ConnectionError):  # The browser went on to another page.
            self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  given by the library
        """Keep the terminal quiet; the browser shows what goes wrong."""


def _viewer_file(name: str) -> tuple[str, bytes]:
    files = {file.relative_to(VIEWER).as_posix(): file for file in VIEWER.rglob("*.*")}
    file = files.get(name)
    if file is None or file.suffix not in TYPES:
        raise Missing("There is no such file.")
    return TYPES[file.suffix], file.read_bytes()


def _number(query: Query, name: str = "match", default: str = "1") -> int:
    text = query.get(name, default)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _seen_by(query: Query, record: Record) -> Seat | None:
    """Who looks: everybody (None), the public, or a seat by its letter."""
    view = query.get("view", EVERYTHING)
    if view == EVERYTHING:
        return None
    if view == "public":
        return PUBLIC
    seats = SEAT_LETTERS[: len(record["seats"])]
    if len(view) != 1 or view.upper() not in seats:
        raise Missing(f"There is no view {view!r}; there are everything, public and {seats}.")
    return seats.index(view.upper())


def _record(matches: Matches, query: Query) -> Record:
    record = matches.record(_number(query))
    seat = _seen_by(query, record)
    return record if seat is None else redact(record, seat)


def _page(matches: Matches, query: Query) -> str:
    number = _number(query)
    whole = matches.record(number)
    seat = _seen_by(query, whole)
    count, game = len(whole["seats"]), GAMES.get(whole["game"])
    told = _told(whole, seat)
    replay = Replay(
        record=whole if seat is None else redact(whole, seat),
        told=told,
        title=f"{game.name if game else whole['game']}, {count} seats",
        record_url=f"/record.json?match={number}",
        page_url=f"/?match={number}",
        step=_number(query, "step", "0"),
        view=EVERYTHING if seat is None else "public" if seat == PUBLIC else SEAT_LETTERS[seat],
        views=() if told is NO_INSIGHT else (EVERYTHING, "public", *SEAT_LETTERS[:count]),
    )
    return (
        (VIEWER / "watch.html")
        .read_text(encoding="utf-8")
        .format(
            file=html.escape(matches.path.name),
            picker=_picker(len(matches.places), number),
            sprite=sprite(),
            replay=replay_html(replay),
        )
    )


def _told(record: Record, seat: Seat | None) -> MatchInsight:
    """What is told beside the record; nothing if the match cannot be played again here."""
    try:
        return insight(record, seat)
    except RecordError:
        return NO_INSIGHT


def _picker(count: int, number: int) -> str:
    """A way to the other matches of the file, if there are any."""
    if count == 1:
        return ""
    return (
        '<form class="picker"><label>Match '
        f'<input type="number" name="match" min="1" max="{count}" value="{number}" required>'
        f" of {count:,}</label> <button>Show</button></form>"
    )

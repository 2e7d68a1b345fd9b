"""A small league on a loopback port: real HTTP, the API that `bots_sdk.client.api` speaks."""

import json
import threading
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from runners.faults import message

KEY = "a-key-of-64-letters"
PASSED = [
    {"name": "text", "ok": True, "text": "readable text, 0.9 KB", "ms": 1.0},
    {
        "name": "match",
        "ok": True,
        "text": "finishes a match, place 2 of 4",
        "ms": 2900.0,
        "watch_url": "https://league.example/uploads/9/smoke/basari/",
    },
]
FAILED = [
    PASSED[0],
    {
        "name": "imports",
        "ok": False,
        "text": "This import is not allowed",
        "ms": 1.0,
        "message": asdict(message("E105", line=2, statement="import requests")),
        "line": 2,
    },
]


class League:
    """What the league knows. Tests look at it and change it."""

    def __init__(self):
        self.bots = [{"name": "Elder", "slug": "elder"}]
        self.asked = []
        """Every request: method, path, body."""
        self.steps = PASSED
        self.polls_until_done = 2
        self.reused = False
        self.facts = {}
        """What every version says besides."""
        self.record = b""
        self.answer_instead = None
        """A whole answer in place of the right one: status, headers, body."""
        self.uploads = {}
        """The listings of bundles that were announced, by the numbers of the uploads."""
        self.blobs = {}
        """The contents that arrived, by their digests."""
        self.knows_bundles = True
        self.broken_requests = 0
        """So many more contents arrive by half: then the connection breaks."""
        self.busy_answers = 0
        """So many more times it is too busy for a content."""

    def answer(self, method, path, body, key):
        """Status, kind and document for a request."""
        self.asked.append((method, path, body))
        if path.startswith("matches/"):
            return 200, self.record
        if key != f"Bearer {KEY}":
            return problem(401, "L007", "Access refused", "The access key is unknown.")
        match method, path.split("/"):
            case "GET", ["me"]:
                return 200, {"name": "Ada", "bots": self.bots, "scopes": ["read", "upload"]}
            case "POST", ["bots"]:
                self.bots.append({"name": body["name"], "slug": body["name"].lower()})
                return 201, self.bots[-1]
            case "POST", ["bots", slug, "versions"] if slug in self.slugs():
                return 202, self.version(slug, "waiting", [])
            case "POST", ["bots", slug, "uploads"] if self.knows_bundles and slug in self.slugs():
                return 201, self.announce(body["files"])
            case _, ["uploads", number, *rest] if number in self.uploads:
                return self.answer_upload(number, rest, body)
            case "GET", ["bots", slug, "versions", _]:
                self.polls_until_done -= 1
                if self.polls_until_done > 0:
                    return 200, self.version(slug, "checking", self.steps[:1])
                good = all(step["ok"] for step in self.steps)
                status = "accepted" if good else "rejected"
                return 200, self.version(slug, status, self.steps)
        return problem(404, "L010", "Not there", "There is no such thing here.")

    def answer_upload(self, number, path, body):
        """Status and document for a request about an upload that was announced."""
        if path == ["finish"]:
            assert not self.missing(self.uploads[number])
            return 202, self.version("elder", "waiting", [])
        if self.busy_answers:
            self.busy_answers -= 1
            return problem(503, "S003", "Busy", "Its store is not there.")
        assert sha256(body).hexdigest() == path[1]
        self.blobs[path[1]] = body
        return 204, b""

    def announce(self, files):
        """The same files again are the same upload."""
        for number, listing in self.uploads.items():
            if listing == files:
                return {"id": number, "missing": self.missing(files)}
        self.uploads[str(len(self.uploads) + 1)] = files
        return self.announce(files)

    def missing(self, files):
        return sorted({file["digest"] for file in files} - set(self.blobs))

    def slugs(self):
        return [bot["slug"] for bot in self.bots]

    def version(self, slug, status, steps):
        url = f"https://league.example/bots/{slug}/versions/1/"
        told = {"number": 1, "status": status, "url": url, "steps": steps}
        return told | {"reused": self.reused} | self.facts


def problem(status, code, title, detail):
    told = {"type": "about:blank", "title": title, "detail": detail, "code": code}
    return status, told | {"fix": "Try another."}


@contextmanager
def small_league():
    """A league that runs until the block ends, and its address."""
    league = League()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            size = int(self.headers.get("Content-Length") or 0)
            if self.command == "PUT":
                if league.broken_requests:
                    league.broken_requests -= 1
                    self.rfile.read(size // 2)
                    self.close_connection = True
                    return
                body = self.rfile.read(size)
            else:
                body = json.loads(self.rfile.read(size)) if size else None
            path = self.path.removeprefix("/api/v1/")
            if league.answer_instead:
                status, headers, sent = league.answer_instead
            else:
                key = self.headers.get("Authorization")
                status, document = league.answer(self.command, path, body, key)
                sent = document if isinstance(document, bytes) else json.dumps(document).encode()
                headers = {"Content-Length": str(len(sent))}
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent)

        def do_POST(self):
            self.do_GET()

        def do_PUT(self):
            self.do_GET()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield league, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()

"""Talking to a league: its API over HTTP, with nothing but the standard library.

What the league refuses is `Refused`, in its own words; a league that cannot be reached or does not
answer as one is `NoLeague`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from io import SEEK_END
from typing import IO, Any, BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

TIMEOUT_SECONDS = 30
MAX_BYTES = 16 << 20
"""More than the largest record; a longer answer is not read to its end."""


Body = Mapping[str, Any] | BinaryIO | None
"""What is sent along: an object, or bytes as they are."""


class NoLeague(Exception):
    """Nobody answered at the address, or somebody who is not a league."""


class ConnectionLost(NoLeague):
    """The connection broke, or nobody is there: it may be better in a moment."""


class Refused(Exception):
    """The league refused, in its own words: a code, its title, why, and what to do."""

    def __init__(self, status: int, code: str, title: str, detail: str, fix: str) -> None:
        heading = f"{code} {title}".strip().rstrip(".")
        super().__init__(" ".join(filter(None, [f"{heading}.", detail, fix])))
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Version:
    """An upload and how far its checks are."""

    number: int
    status: str
    """`waiting`, `checking`, `accepted`, `rejected`, or `stuck`: the league itself failed."""
    url: str
    steps: list[dict[str, Any]] = field(default_factory=list)
    """Each with `name`, `ok`, `text`, `ms` and, if it failed, `message` and the place; that of a
    match also with `watch_url`.
    """
    place_in_queue: int | None = None
    """While it waits."""
    reused: bool = False
    """Whether the league had this very code already, with its rating."""
    benched_because: str = ""
    """Why it does not play although it was accepted."""
    code: str = ""
    """Why it was rejected; the steps say more, to a key that may read."""

    @property
    def done(self) -> bool:
        """Whether nothing more is to be waited for."""
        return self.status in {"accepted", "rejected", "stuck"}

    @property
    def plays(self) -> bool:
        """Whether it passed its checks and is not on the bench."""
        return self.status == "accepted" and not self.benched_because


class _NoRedirects(HTTPRedirectHandler):
    """A key is never carried to another address than the one it was given for."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,  # noqa: ANN401  the library's own signature
        newurl: str,
    ) -> None:
        raise NoLeague(f"The league moved to {newurl}; log in at that address.")


class Client:
    """One league, as one user talks to it."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise NoLeague(f"{url!r} is not the address of a league; write https://….")
        self.url = url.rstrip("/")
        self._token = token
        self._opener: OpenerDirector = build_opener(_NoRedirects)

    def me(self) -> dict[str, Any]:
        """Return the owner of the key: `name`, `bots` and `scopes`."""
        return self.ask_object("GET", "me")

    def create_bot(self, name: str) -> str:
        """Create a bot and return its name in addresses."""
        slug = self.ask_object("POST", "bots", {"name": name}).get("slug")
        if not isinstance(slug, str):
            raise NoLeague("The league's answer is not a bot.")
        return slug

    def upload(self, bot: str, source: str, note: str) -> Version:
        """Upload a version; its checks begin soon."""
        path = f"bots/{quote(bot, safe='')}/versions"
        return read_version(self.ask_object("POST", path, {"source": source, "note": note}))

    def version(self, bot: str, number: int) -> Version:
        """Return how far the checks of a version are."""
        return read_version(
            self.ask_object("GET", f"bots/{quote(bot, safe='')}/versions/{number:d}")
        )

    def record(self, match: str) -> bytes:
        """Return the record of a match, as it is stored."""
        return self.ask("GET", f"matches/{quote(match, safe='')}/record", None)

    def tournaments(self) -> list[dict[str, Any]]:
        """Return the latest tournaments."""
        return _objects(self.ask_object("GET", "tournaments").get("items"))

    def tournament(self, slug: str) -> dict[str, Any]:
        """Return how far a tournament is: `state`, `round`, `games_over`, `entries` and more."""
        return self.ask_object("GET", f"tournaments/{quote(slug, safe='')}")

    def standings(self, slug: str) -> list[dict[str, Any]]:
        """Return the standings of a tournament, the best first."""
        path = f"tournaments/{quote(slug, safe='')}/standings"
        return _objects(_read_json(self.ask("GET", path, None)))

    def enter(self, tournament: str, bot: str, invite_code: str = "") -> dict[str, Any]:
        """Enter one of the user's bots in a tournament."""
        path = f"tournaments/{quote(tournament, safe='')}/entries"
        return self.ask_object("POST", path, {"bot": bot, "invite_code": invite_code})

    def ask_object(self, method: str, path: str, body: Body = None) -> dict[str, Any]:
        """Return the object that the league answers with."""
        answer = _read_json(self.ask(method, path, body))
        if not isinstance(answer, dict):
            raise NoLeague(f"{self.url} did not answer as a league does.")
        return answer

    def ask(self, method: str, path: str, body: Body) -> bytes:
        """Return the answer of the league as it is."""
        headers = {"Accept": "application/json", "User-Agent": "karat"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data: bytes | BinaryIO | None = None
        if isinstance(body, Mapping):
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        elif body is not None:
            data = body
            headers |= {"Content-Type": "application/octet-stream"}
            headers["Content-Length"] = str(_size(body))
        request = Request(f"{self.url}/api/v1/{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                return _whole(response)
        except HTTPError as error:
            with error:
                raise _refusal(error) from None
        except URLError as error:
            reason = _reason(error.reason)
            raise ConnectionLost(f"{self.url} cannot be reached: {reason}.") from None
        except (OSError, HTTPException) as error:
            raise ConnectionLost(f"{self.url} broke off: {_reason(error)}.") from None


def _whole(response: HTTPResponse) -> bytes:
    data = response.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise NoLeague("The answer is larger than any record.")
    if response.length:
        raise ConnectionLost("The answer broke off before its end.")
    return data


def _size(body: BinaryIO) -> int:
    """Return how many bytes there are to send."""
    size = body.seek(0, SEEK_END)
    body.seek(0)
    return size


def _reason(error: object) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason.rstrip(".")


def _read_json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _objects(answer: object) -> list[dict[str, Any]]:
    if not isinstance(answer, list) or not all(isinstance(one, dict) for one in answer):
        raise NoLeague("The league's answer is not a list.")
    return answer


def _refusal(error: HTTPError) -> Exception:
    """Return the error of the problem document that came with the status, if there is one."""
    try:
        problem = _read_json(error.read(MAX_BYTES))
    except (OSError, HTTPException):
        problem = None
    if not isinstance(problem, dict):
        return NoLeague(f"The answer was {error.code} {error.reason}, not that of a league.")
    code, title, detail, fix = (
        value if isinstance(value := problem.get(name), str) else ""
        for name in ("code", "title", "detail", "fix")
    )
    return Refused(error.code, code, title or str(error.reason), detail, fix)


def read_version(answer: dict[str, Any]) -> Version:
    """Return a version as the league describes it, or raise `NoLeague`."""
    number, status, url = (answer.get(name) for name in ("number", "status", "url"))
    steps, place = answer.get("steps") or [], answer.get("place_in_queue")
    if not (isinstance(number, int) and isinstance(status, str) and isinstance(url, str)):
        raise NoLeague("The league's answer is not a version.")
    if not isinstance(steps, list) or not all(map(_is_step, steps)):
        raise NoLeague("The league's answer has malformed steps.")
    place = place if isinstance(place, int) else None
    reused, benched = bool(answer.get("reused")), answer.get("benched_because")
    code = str(answer.get("code") or "")
    return Version(number, status, url, steps, place, reused, str(benched or ""), code)


def _is_step(step: object) -> bool:
    if not isinstance(step, dict) or not isinstance(step.get("text"), str):
        return False
    error = step.get("message")
    words = ("code", "title", "explanation", "fix")
    return error is None or (isinstance(error, dict) and all(word in error for word in words))

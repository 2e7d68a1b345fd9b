"""Settings from environment variables. An invalid value stops the start."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES = {"1", "true", "yes", "on"}
_NO = {"", "0", "false", "no", "off"}
_KEPT_SECONDS = 60
"""How long a connection is used again."""
_WEB_POOL = {"pool": {"min_size": 0, "max_size": 16, "timeout": 5}}
"""A visitor waits some seconds for a connection, and then sees an error page."""


def text(name: str, default: str = "") -> str:
    """Read a text."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """Read yes or no."""
    value = text(name, "1" if default else "0").lower()
    if value not in _YES | _NO:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in _YES


def number(name: str, default: int) -> int:
    """Read a whole number."""
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def words(name: str, default: str = "") -> list[str]:
    """Read a comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(url: str, *, pooled: bool) -> dict[str, Any]:
    """Return Django's settings for `postgres://user:password@host:port/name` or `sqlite:///path`.

    A web server has many short requests and gets a pool; a worker forks, which a pool does not
    survive, and keeps one connection.
    """
    parts = urlsplit(url)
    name = unquote(parts.path[1:])
    if parts.scheme == "sqlite":
        return sqlite(Path(name), kept_open=pooled)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL must begin with postgres:// or sqlite:///, not {parts.scheme!r}."
        )
    parameters = dict(parse_qsl(parts.query))
    # A socket folder has slashes, so it comes as a parameter: postgres:///name?host=/run/postgresql
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or parameters.pop("user", "")),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parameters.pop("host", parts.hostname or ""),
        "PORT": str(parameters.pop("port", parts.port or "")),
        "CONN_MAX_AGE": 0 if pooled else _KEPT_SECONDS,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"connect_timeout": "5"} | parameters | (_WEB_POOL if pooled else {}),
    }


def passwords(*urls: str) -> list[str]:
    """Return the passwords within addresses, quoted and unquoted."""
    quoted = [urlsplit(url).password or "" for url in urls]
    return [text for word in quoted for text in (word, unquote(word)) if text]


def sqlite(path: Path, *, kept_open: bool = False) -> dict[str, Any]:
    """Return Django's settings for one file that many processes use.

    Opening it takes longer than a short query, so the threads of a web server keep it open.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": _KEPT_SECONDS if kept_open else 0,
        "OPTIONS": {
            "timeout": 20,
            # Writers queue up at the start of a transaction.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
        # A file, because tests with worker processes need one that all of them can open.
        "TEST": {"NAME": path.with_name("test.sqlite3")},
    }


def _draw_secret() -> str:
    return secrets.token_urlsafe(48)


def own_secret(path: Path, draw: Callable[[], str] = _draw_secret) -> str:
    """Return the secret of this machine, from a file that only its user can read."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(file, "w") as opened:
        opened.write(draw())
    return path.read_text().strip()

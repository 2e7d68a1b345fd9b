"""Checks of `manage.py check --deploy` besides Django's own: which servers are in use."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, register


@register(deploy=True)
def servers(**_: Any) -> list[CheckMessage]:
    """Name the database and the broker, without passwords, and refuse SQLite by accident."""
    messages: list[CheckMessage] = [
        Info(f"The database is {_database()}.", id="karat.I001"),
        Info(f"The broker is {_broker()}.", id="karat.I002"),
    ]
    if _is_sqlite() and not settings.ALLOW_SQLITE:
        messages.append(
            Error(
                "A server should not run on SQLite.",
                hint="Set DATABASE_URL, or ALLOW_SQLITE=1 if SQLite is intended.",
                id="karat.E001",
            )
        )
    return messages


def _is_sqlite() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")


def _database() -> str:
    database = settings.DATABASES["default"]
    if _is_sqlite():
        return f"SQLite, the file {database['NAME']}"
    place = database["HOST"] or "the local socket"
    port = f":{database['PORT']}" if database["PORT"] else ""
    user = database["USER"] or "the user of the process"
    return f"PostgreSQL, {database['NAME']} at {place}{port} as {user}"


def _broker() -> str:
    if not settings.REDIS_URL:
        return f"files under {settings.VAR / 'broker'}"
    parts = urlsplit(settings.REDIS_URL)
    place = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
    secret = "with" if parts.password else "without"
    return f"Redis at {place}, {secret} a password"

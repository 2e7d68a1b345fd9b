"""Logs: one line each, JSON for a server, plain for a terminal, and never with a secret in it.

Everybody logs with `logging`. Ids of the request, the match and the worker are bound around the
work (`structlog.contextvars`) and come with every line, whoever wrote it.
"""

import logging
import re
from collections.abc import Iterable, MutableMapping
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import Processor

HIDDEN = "[hidden]"
MIN_SECRET_LENGTH = 6
"""Hiding shorter texts would hide half the log."""

# An access key, a bearer of anything, the link in a mail about a password, a cookie, a password.
_SECRETS = re.compile(
    r"karat_[\w-]{16,}"
    r"|(?<=Bearer )[^\s\"',]+"
    r"|(?<=/accounts/reset/)[\w-]+/[\w-]+"
    r"|(?<=karat_session=)[\w-]+"
    r"|(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"
    r"|(?<=\bpassword[=:])\s*[^\s&,}]+",
    re.IGNORECASE,
)


def config(form: str, level: str, secrets: Iterable[str]) -> dict[str, Any]:
    """Return the value of Django's LOGGING."""
    if form not in {"json", "text"}:
        raise ImproperlyConfigured(f"LOG_FORMAT must be json or text, not {form!r}.")
    if level not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"LOG_LEVEL must be a level such as INFO, not {level!r}.")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _shared_processors(),
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    Scrub(_renderer(form), secrets),
                ],
            }
        },
        "handlers": {
            "error": {"class": "logging.StreamHandler", "formatter": "lines", "level": level}
        },
        "root": {"handlers": ["error"], "level": level},
        "loggers": {
            # These bring handlers of their own; one output is enough.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn": {"handlers": [], "propagate": True},
            # Our own line about a request has its id, and no address that could hold a secret.
            "uvicorn.access": {"handlers": [], "propagate": False},
            # A line for every task would bury the rest.
            "celery": {"handlers": [], "propagate": True, "level": "WARNING"},
        },
    }


class Scrub:
    """Renders a line and removes whatever is a secret or looks like one."""

    def __init__(self, render: Processor, secrets: Iterable[str]) -> None:
        self._render = render
        known = sorted({s for s in secrets if len(s) >= MIN_SECRET_LENGTH}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known)) or r"(?!)")

    def __call__(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
        """Return the finished line."""
        line = str(self._render(logger, method, event))
        return _SECRETS.sub(HIDDEN, self._known.sub(HIDDEN, line))


def _shared_processors() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(allow=("method", "route", "status", "ms")),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _renderer(form: str) -> Processor:
    if form == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0)

"""A whole league as one file: JSON lines, compressed, for moving to another machine or database.

The first line says what it is, every other one is a row, the last one counts them. Passwords, keys,
sessions and workers are not in it. It is still the operator's: it holds addresses of mails, private
code and the seeds of what is not played yet.
"""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.core import serializers
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone

from league import version
from league.accounts.models import User

FORM = 1
APPS = ("accounts", "bots", "matches", "ladder", "tournaments", "operate")
LEFT_OUT = frozenset(
    {
        *("accounts.token", "bots.storeddraft"),
        *("matches.worker", "matches.failedattempt", "matches.laneuse", "operate.maintenancerun"),
    }
)
"""Keys are secrets and drafts of guests are nobody else's; workers register themselves, and backups
are of another database."""
HIDDEN = frozenset({"password", "last_login", "groups", "user_permissions"})
CHUNK = 500


class Damaged(Exception):
    """The file is not a whole archive, or not of this version."""


def tables() -> list[type[models.Model]]:
    """What is kept. All models of the league, so that a new one is never forgotten."""
    found = (model for app in APPS for model in apps.get_app_config(app).get_models())
    return [model for model in found if model._meta.label_lower not in LEFT_OUT]


def write(path: Path) -> int:
    """Write everything as it is at one moment, while the league goes on. How many rows."""
    rows = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file, _one_moment():
        _line(file, {"karat": version.karat(), "form": FORM, "made_at": timezone.now().isoformat()})
        for model in tables():
            for text in _rows(model):
                file.write(text)
                rows += 1
        _line(file, {"rows": rows})
    return rows


def read(path: Path) -> int:
    """Fill an empty database with an archive, all of it or nothing. How many rows."""
    if any(model._default_manager.exists() for model in tables()):
        raise Damaged("this database is not empty; an archive fills only a fresh one")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file, transaction.atomic():
            rows = _restore(file)
            _reset_numbers()
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise Damaged(f"the file is cut or damaged: {error}") from None
    return rows


@contextmanager
def _one_moment() -> Iterator[None]:
    """A transaction that sees one state of the database and stops nobody from writing."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        # Django begins as a writer here, and would keep all others out.
        sqlite: Any = connection
        usual, sqlite.transaction_mode = sqlite.transaction_mode, None
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = usual
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set transaction isolation level repeatable read read only")
        yield


def _rows(model: type[models.Model]) -> Iterator[str]:
    fields = [f.name for f in model._meta.get_fields() if f.concrete and f.name not in HIDDEN]
    rows = model._default_manager.order_by("pk").iterator(chunk_size=CHUNK)
    for row in rows:
        yield serializers.serialize("jsonl", [row], fields=fields)


def _restore(file: Any) -> int:
    head = _json(file.readline())
    if head.get("form") != FORM:
        raise Damaged("this is not an archive of a league, or one of another form")
    kept = {model._meta.label_lower for model in tables()}
    rows = 0
    for line in file:
        if line.startswith('{"rows"'):
            if _json(line)["rows"] != rows:
                raise Damaged("rows are missing")
            return rows
        for found in serializers.deserialize("jsonl", line):
            if found.object._meta.label_lower not in kept:
                raise Damaged(f"{found.object._meta.label} does not belong into an archive")
            if isinstance(found.object, User):
                found.object.password = make_password(None)
            found.save(save_m2m=False, force_insert=True)
            rows += 1
    raise Damaged("the file ends before its end")


def _json(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        raise Damaged("this is not an archive of a league") from None
    return found if isinstance(found, dict) else {}


def _line(file: Any, value: dict[str, Any]) -> None:
    file.write(json.dumps(value) + "\n")


def _reset_numbers() -> None:
    """PostgreSQL counts on from the numbers that are there now."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
            cursor.execute(statement)

"""A whole league as one file: JSON lines, compressed, for moving to another machine or database.

The first line says what it is, every other one is a row, the last one counts them. Passwords, keys,
sessions and workers are not in it. It is still confidential: it holds e-mail addresses, private
code and the seeds of queued matches.
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
from league.blobs import archive as blobs
from league.blobs.models import Blob

FORMAT = 1
APPS = ("accounts", "blobs", "bots", "matches", "workers", "ladder", "tournaments", "operate")
OMITTED_MODELS = frozenset(
    {
        *("accounts.token", "bots.storeddraft", "bots.openupload", "bots.openuploadfile"),
        *("workers.worker", "workers.failedattempt", "workers.laneuse", "operate.maintenancerun"),
    }
)
"""Keys are secrets, drafts belong to guests and unfinished uploads begin again; workers register
themselves, and maintenance runs are about another database."""
OMITTED_FIELDS = frozenset({"password", "last_login", "groups", "user_permissions"})
CHUNK = 500


class Damaged(Exception):
    """The file is not a complete archive, or of another version."""


def tables() -> list[type[models.Model]]:
    """Return the models in an archive: all of the league, so that a new one is not forgotten."""
    models_of_league = (model for app in APPS for model in apps.get_app_config(app).get_models())
    return [model for model in models_of_league if model._meta.label_lower not in OMITTED_MODELS]


def write(path: Path) -> int:
    """Write a snapshot while the league goes on, and return the number of rows."""
    rows = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file, _snapshot():
        _line(
            file, {"karat": version.karat(), "form": FORMAT, "made_at": timezone.now().isoformat()}
        )
        for model in tables():
            rows += _write_blobs(file) if model is Blob else _write_rows(file, model)
        _line(file, {"rows": rows})
    return rows


def read(path: Path) -> int:
    """Fill an empty database with an archive, all or nothing; return the number of rows."""
    if any(model._default_manager.exists() for model in tables()):
        raise Damaged(
            "this database is not empty; an archive can only be imported into an empty one"
        )
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file, transaction.atomic():
            rows = _restore(file)
            _reset_numbers()
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError, blobs.DamagedBlob) as error:
        raise Damaged(f"the file is truncated or damaged: {error}") from None
    return rows


@contextmanager
def _snapshot() -> Iterator[None]:
    """Open a transaction that sees one state of the database and blocks no writer."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        # Django would begin as a writer here, and block all others.
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


def _write_blobs(file: Any) -> int:
    """Write the files of bots, and return their number."""
    count = 0
    for line in blobs.write():
        _line(file, line)
        count += blobs.HEAD in line
    return count


def _write_rows(file: Any, model: type[models.Model]) -> int:
    count = 0
    for text in _rows(model):
        file.write(text)
        count += 1
    return count


def _rows(model: type[models.Model]) -> Iterator[str]:
    fields = [
        f.name for f in model._meta.get_fields() if f.concrete and f.name not in OMITTED_FIELDS
    ]
    rows = model._default_manager.order_by("pk").iterator(chunk_size=CHUNK)
    for row in rows:
        yield serializers.serialize("jsonl", [row], fields=fields)


def _restore(file: Any) -> int:
    head = _json(file.readline())
    if head.get("form") != FORMAT:
        raise Damaged("this is not an archive of a league, or one of another format")
    labels = {model._meta.label_lower for model in tables()}
    rows = 0
    for line in file:
        if line.startswith('{"rows"'):
            if _json(line)["rows"] != rows:
                raise Damaged("rows are missing")
            return rows
        if line.startswith(f'{{"{blobs.HEAD}"'):
            blobs.read(_json(line), map(_json, file))
            rows += 1
            continue
        for row in serializers.deserialize("jsonl", line):
            if row.object._meta.label_lower not in labels:
                raise Damaged(f"{row.object._meta.label} does not belong in an archive")
            if isinstance(row.object, User):
                row.object.password = make_password(None)
            row.save(save_m2m=False, force_insert=True)
            rows += 1
    raise Damaged("the file is incomplete")


def _json(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        raise Damaged("this is not an archive of a league") from None
    return value if isinstance(value, dict) else {}


def _line(file: Any, value: dict[str, Any]) -> None:
    file.write(json.dumps(value) + "\n")


def _reset_numbers() -> None:
    """Let PostgreSQL continue from the highest keys."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
            cursor.execute(statement)

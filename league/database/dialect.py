"""The few words in which SQLite and PostgreSQL differ, for statements written by hand.

The ORM builds a statement anew for every call, which takes longer than most databases need to
answer. What happens for every match is therefore written out.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection


def now() -> str:
    """Return the current time by the clock of the database, as `Now()` has it."""
    return later(0)


def later(seconds: float) -> str:
    """Return the time so many seconds from now, by the clock of the database."""
    if connection.vendor == "postgresql":
        return f"(statement_timestamp() + interval '{seconds} seconds')"
    return f"strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', '{seconds:+} seconds')"


def skip_locked() -> str:
    """Return the ending of a selection of rows that nobody else holds. SQLite has one writer."""
    return "for update skip locked" if connection.vendor == "postgresql" else ""


def for_update() -> str:
    """Return the ending of a selection whose rows are locked until the transaction ends."""
    return "for update" if connection.vendor == "postgresql" else ""


def json_type() -> str:
    """Return the type of a column that holds a JSON document."""
    return "jsonb" if connection.vendor == "postgresql" else "text"


def uuid_value(value: UUID | None) -> UUID | str | None:
    """Return an id as a parameter."""
    return value if value is None or connection.vendor == "postgresql" else value.hex


def read_uuid(value: UUID | str | None) -> UUID | None:
    """Return an id that was read."""
    return UUID(value) if isinstance(value, str) else value


def read_json(value: Any) -> Any:
    """Return a document that was read."""
    return json.loads(value) if isinstance(value, str) else value


def places(rows: Sequence[Sequence[object]]) -> str:
    """Return the placeholders of some rows of values."""
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    return ", ".join([row] * len(rows))

"""The rows of a league on SQLite, brought to PostgreSQL: quicker than making them a second time."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

APPS = ("accounts", "bots", "matches", "ladder", "tournaments", "operate")
_COLUMNS = """
select table_name, column_name, data_type from information_schema.columns
where table_schema = 'public' and split_part(table_name, '_', 1) = any(%s)
order by table_name, ordinal_position
"""


def copy(source: Path, target: str) -> int:
    """Fill the empty tables of a database that was migrated. How many rows."""
    with closing(sqlite3.connect(source)) as old, psycopg.connect(target) as new:
        new.execute("set time zone 'UTC'")
        rows = sum(_copy(old, new, *table) for table in _tables(new).items())
        new.commit()
        new.execute("analyze")
    return rows


def _tables(new: psycopg.Connection) -> dict[str, dict[str, str]]:
    """The types of all columns, by table."""
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in new.execute(_COLUMNS, [list(APPS)]):
        found.setdefault(table, {})[column] = kind
    return found


def _copy(
    old: sqlite3.Connection, new: psycopg.Connection, table: str, columns: dict[str, str]
) -> int:
    names = ", ".join(f'"{name}"' for name in columns)
    statement = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    meant = [_meant(kind) for kind in columns.values()]
    count = 0
    with new.cursor().copy(statement) as lines:
        for row in old.execute(f'select {names} from "{table}"'):
            lines.write_row([read(value) for read, value in zip(meant, row, strict=True)])
            count += 1
    return count


def _meant(kind: str) -> Callable[[Any], Any]:
    """SQLite has no truth values; everything else is written as PostgreSQL reads it."""
    if kind == "boolean":
        return lambda value: None if value is None else bool(value)
    return lambda value: value

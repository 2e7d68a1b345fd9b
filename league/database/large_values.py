"""Statements with large values of bytes, which SQLite and PostgreSQL take differently.

Django's driver for PostgreSQL writes values into the text of a statement, as hex and several times
over: 60 MiB would take 550 MB. Here they go as they are.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection


def execute(statement: str, values: Sequence[Any]) -> None:
    """Execute a statement whose parameters `%s` may be large."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
        return
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as direct:
        direct.execute(statement, values)


def read(statement: str, values: Sequence[Any]) -> Any:
    """Return the first value that a statement selects, which may be large; None without a row."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            row = cursor.execute(statement, values).fetchone()
        return row and row[0]
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as direct:
        row = direct.execute(statement, values, binary=True).fetchone()
    return row and row[0]

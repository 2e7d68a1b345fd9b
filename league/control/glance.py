"""One look at what there is to do: a single statement that tells which selections have rows.

A tick comes every second and mostly finds nothing. The selections are those of the work itself, and
compiled once, so they must ask the database for the time (`Now()`).
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import QuerySet

Selections = Mapping[str, "QuerySet[Any, Any]"]


class Glance:
    """Looks at some named selections."""

    def __init__(self, selections: Callable[[], Selections]) -> None:
        self._selections = selections

    def look(self) -> set[str]:
        """Return the names of the selections that have rows now."""
        names, statement, parameters = self._compiled
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            answers = cursor.fetchone()
        return {name for name, exists in zip(names, answers, strict=True) if exists}

    @cached_property
    def _compiled(self) -> tuple[list[str], str, list[Any]]:
        parts: list[str] = []
        parameters: list[Any] = []
        selections = self._selections()
        for rows in selections.values():
            sql, values = rows.order_by().values("pk").query.sql_with_params()
            parts.append(f"exists({sql})")
            parameters += values
        return list(selections), f"select {', '.join(parts)}", parameters

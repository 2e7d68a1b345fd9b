"""Keyset pagination: a page begins after the last row of the one before, newest rows first.

The address names that row, so a page costs the same however far back it lies.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q, QuerySet

_TIME = "%Y%m%dT%H%M%S.%f"
_SHAPE = re.compile(r"(\d{8}T\d{6}\.\d{6}|-?\d{1,6}(?:\.\d{1,9})?)_(\d{1,18})\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows, and where the next page begins."""

    rows: list[Any]
    after_key: str
    """Empty on the last page."""


def page(rows: QuerySet[Any], by: str, key: str, after_key: str, size: int) -> Rows:
    """Return the rows after a place, by a time or number and then by a key, both descending."""
    if place := _read(after_key):
        value, number = place
        same = Q(**{by: value, f"{key}__lt": number})
        rows = rows.filter(Q(**{f"{by}__lt": value}) | same)
    batch = list(rows.order_by(f"-{by}", f"-{key}")[: size + 1])
    page_rows = batch[:size]
    if len(batch) <= size:
        return Rows(page_rows, "")
    last = page_rows[-1]
    return Rows(page_rows, _write(getattr(last, by), getattr(last, _attribute(key))))


def _attribute(key: str) -> str:
    return key if key == "pk" else f"{key}_id"


def _write(value: datetime | float, number: int) -> str:
    text = value.astimezone(UTC).strftime(_TIME) if isinstance(value, datetime) else str(value)
    return f"{text}_{number}"


def _read(after_key: str) -> tuple[datetime | float, int] | None:
    """Return the place that a key names; None if it names none."""
    match = _SHAPE.match(after_key)
    if not match:
        return None
    text, number = match[1], int(match[2])
    try:
        value = datetime.strptime(text, _TIME).replace(tzinfo=UTC) if "T" in text else float(text)
    except ValueError:
        return None
    return value, number

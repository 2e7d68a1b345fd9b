"""The views of a record, step by step."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from engine.record.patch import apply

Record = dict[str, Any]


def views_of(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the view after each step: one object that changes, so take what is needed at once."""
    view = deepcopy(record["steps"][0]["view"])
    yield view
    for step in record["steps"][1:]:
        apply(view, step["set"])
        yield view

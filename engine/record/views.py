"""The views of a record, step by step."""

from collections.abc import Iterator
from copy import deepcopy

from engine.record.patch import apply
from engine.record.types import AnyRecord, View


def views_of(record: AnyRecord) -> Iterator[View]:
    """Yield the view after each step: one object that changes, so take what is needed at once."""
    view = deepcopy(record["steps"][0]["view"])
    yield view
    for step in record["steps"][1:]:
        apply(view, step["set"])
        yield view

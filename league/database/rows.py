"""Writing and deleting many rows of one table at once."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Model


def update(model: type[Model], rows: Iterable[Model], fields: Sequence[str]) -> None:
    """Write these fields of rows that exist and are locked by the caller.

    `bulk_update` does the same and takes several times as long.
    """
    model._default_manager.bulk_create(
        rows, batch_size=500, update_conflicts=True, unique_fields=["pk"], update_fields=fields
    )


def delete(model: type[Model], pks: Sequence[Any]) -> int:
    """Delete the rows with these keys, and all that goes with them. Return how many.

    Without keys nothing is asked of the database: Django would open a transaction, and on SQLite
    that keeps everybody else from writing.
    """
    return model._default_manager.filter(pk__in=pks).delete()[0] if pks else 0

"""Pages of the admin that only show rows."""

from typing import TypeVar

from django.db.models import Model
from django.http import HttpRequest

from league.web.generics import ModelAdmin, TabularInline

Row = TypeVar("Row", bound=Model)
Parent = TypeVar("Parent", bound=Model)


class _ReadOnly:
    def has_add_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Refuse: rows come from services."""
        return False

    def has_change_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Refuse: nothing can be edited."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Refuse: results stay."""
        return False


class ReadOnlyAdmin(_ReadOnly, ModelAdmin[Row]):
    """Rows to look at."""

    show_full_result_count = False


class ReadOnlyInline(_ReadOnly, TabularInline[Row, Parent]):
    """Rows to look at within another."""

"""What staff see in the admin: mostly things to look at."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class _LookOnly:
    def has_add_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Rows come from services."""
        return False

    def has_change_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Nothing can be edited."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: Model | None = None) -> bool:
        """Results stay."""
        return False


class Shown(_LookOnly, admin.ModelAdmin):
    """Rows to look at."""

    show_full_result_count = False


class ShownInline(_LookOnly, admin.TabularInline):
    """Rows to look at within another."""

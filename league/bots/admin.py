"""Bots and versions for staff: to look, to check again. What is done about them is under
`/staff/`, where it gets an audit line; nobody reads or edits sources here.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.bots import checks
from league.bots.models import Bot, BotVersion
from league.web.generics import ModelAdmin


@admin.register(Bot)
class Bots(ModelAdmin[Bot]):
    """Descriptions can be corrected; names under `/staff/`, with all that hangs on them."""

    list_display = ("name", "owner", "active", "created_at")
    list_select_related = ("owner", "active__bot")
    search_fields = ("name", "slug", "owner__username")
    fields = ("name", "slug", "owner", "about", "active", "notes_public", "enters", "created_at")
    readonly_fields = ("name", "slug", "owner", "active", "notes_public", "enters", "created_at")

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Bots are founded by their owners."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: Bot | None = None) -> bool:
        """Results stay."""
        return False


@admin.register(BotVersion)
class Versions(ModelAdmin[BotVersion]):
    """Checks, benches and suspensions."""

    list_display = ("bot", "number", "status", "code", "benched_at", "suspended_at", "created_at")
    list_filter = ("status", "code")
    list_select_related = ("bot",)
    search_fields = ("bot__name", "bot__slug", "note")
    actions = ("check_again",)

    @admin.action(description="Check the selected stuck versions again")
    def check_again(self, _: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        """They get new attempts."""
        for version in versions:
            checks.check_again(version)

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Versions are uploaded."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: BotVersion | None = None) -> bool:
        """Matches pin them."""
        return False

    def get_readonly_fields(self, *_: object) -> list[str]:
        """All that is shown. Not the source, and not the steps, which quote it."""
        return list(self.fields)

    fields = (
        *("bot", "number", "status", "code", "note", "source_public", "attempt"),
        *(
            "benched_at",
            "benched_because",
            "suspended_at",
            "suspended_because",
            "created_at",
            "checked_at",
            "activated_at",
        ),
    )

"""Bots and versions for staff, to look at and to check again. Moderation happens under `/staff/`,
where it gets an audit line; nobody reads or edits sources here.
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
    fields = (
        "name",
        "slug",
        "owner",
        "about",
        "active",
        "notes_public",
        "enters",
        "retired_at",
        "created_at",
    )
    readonly_fields = (
        "name",
        "slug",
        "owner",
        "active",
        "notes_public",
        "enters",
        "retired_at",
        "created_at",
    )

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Refuse: bots are created by their owners."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: Bot | None = None) -> bool:
        """Refuse: results stay."""
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
        """Give them new attempts."""
        for version in versions:
            checks.check_again(version)

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Refuse: versions are uploaded."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: BotVersion | None = None) -> bool:
        """Refuse: matches refer to them."""
        return False

    def get_readonly_fields(self, *_: object) -> list[str]:
        """Return all fields on the page; source and steps, which quote it, are not among them."""
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

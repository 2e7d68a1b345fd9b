"""Bots and versions for staff: to look, to bench, to check again. Nobody reads or edits sources."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.bots import checks, services
from league.bots.models import Bot, BotVersion


@admin.register(Bot)
class Bots(admin.ModelAdmin):
    """Names and descriptions can be corrected; nothing else."""

    list_display = ("name", "owner", "active", "created_at")
    list_select_related = ("owner", "active__bot")
    search_fields = ("name", "slug", "owner__username")
    fields = ("name", "slug", "owner", "about", "active", "notes_public", "enters", "created_at")
    readonly_fields = ("slug", "owner", "active", "notes_public", "enters", "created_at")

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Bots are founded by their owners."""
        return False

    def has_delete_permission(self, _: HttpRequest, __: Bot | None = None) -> bool:
        """Results stay."""
        return False


@admin.register(BotVersion)
class Versions(admin.ModelAdmin):
    """Checks and benches."""

    list_display = ("bot", "number", "status", "code", "benched_at", "created_at", "checked_at")
    list_filter = ("status", "code")
    list_select_related = ("bot",)
    search_fields = ("bot__name", "bot__slug", "note")
    actions = ("bench", "check_again")

    @admin.action(description="Bench the selected versions")
    def bench(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        """Take them out; the last good ones play on."""
        for version in versions:
            services.bench(version, f"staff benched it ({request.user})")

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
        *("benched_at", "benched_because", "created_at", "checked_at", "activated_at"),
    )

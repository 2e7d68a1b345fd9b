"""Tournaments and cups for staff. What can happen to them happens in their own console."""

from django.contrib import admin

from league.tournaments.models import Cup, Tournament


@admin.register(Tournament)
class Tournaments(admin.ModelAdmin):
    """Where they stand. The seed is nobody's to see before the end."""

    list_display = ("name", "state", "game", "rated", "organiser", "starts_at", "finished_at")
    list_filter = ("state", "game", "rated")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser", "cup")
    exclude = ("master_seed",)
    readonly_fields = ("state", "started_at", "finished_at")


@admin.register(Cup)
class Cups(admin.ModelAdmin):
    """When they come round."""

    list_display = ("name", "game", "cron", "zone", "stopped", "count", "organiser")
    list_filter = ("game", "stopped")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser",)
    readonly_fields = ("count", "looked_at")

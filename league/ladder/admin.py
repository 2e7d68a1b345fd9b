"""Ladders for staff, to look at only: the ledger is never edited."""

from django.contrib import admin

from league.ladder.models import Entry, Ladder, LadderRating
from league.web.admin_mixins import ReadOnlyAdmin


@admin.register(Ladder)
class Ladders(ReadOnlyAdmin[Ladder]):
    """One for each game."""

    list_display = ("game", "rated", "played_at")


@admin.register(Entry)
class Entries(ReadOnlyAdmin[Entry]):
    """Who is on a ladder."""

    list_display = ("bot", "ladder", "matches", "firsts", "faulty", "entered_at", "left_at")
    list_filter = ("ladder",)
    list_select_related = ("bot", "ladder")
    search_fields = ("bot__name", "bot__slug")


@admin.register(LadderRating)
class Ratings(ReadOnlyAdmin[LadderRating]):
    """Where versions stand now."""

    list_display = ("version", "ladder", "mu", "sigma", "matches")
    list_filter = ("ladder",)
    list_select_related = ("version__bot", "ladder")
    search_fields = ("version__bot__name",)

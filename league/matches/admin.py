"""Matches and faults for staff, to look at only. Logs are their owners'."""

from django.contrib import admin

from league.matches.models import Fault, Match, Seat
from league.web.admin_mixins import ReadOnlyAdmin, ReadOnlyInline


class Seats(ReadOnlyInline[Seat, Match]):
    """Who sat at the table."""

    model = Seat
    fields = ("number", "bot", "version", "place", "score", "forfeited", "faulty")


@admin.register(Match)
class Matches(ReadOnlyAdmin[Match]):
    """The seed is not shown: whoever sees it knows the deal."""

    list_display = ("pk", "game", "kind", "status", "attempt", "worker", "finished_at")
    list_filter = ("status", "game", "kind")
    search_fields = ("=pk", "worker")
    exclude = ("seed", "lease")
    inlines = (Seats,)


@admin.register(Fault)
class Faults(ReadOnlyAdmin[Fault]):
    """Tracebacks quote sources, so they are not shown."""

    list_display = ("code", "seat", "step", "detail", "created_at")
    list_filter = ("code",)
    list_select_related = ("seat",)
    exclude = ("traceback",)

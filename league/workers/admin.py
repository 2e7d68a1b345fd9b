"""Workers for staff, to look at only."""

from django.contrib import admin

from league.web.admin_mixins import ReadOnlyAdmin
from league.workers.models import Worker


@admin.register(Worker)
class Workers(ReadOnlyAdmin[Worker]):
    """Who plays, and whether their walls hold."""

    list_display = ("name", "seen_at", "capacity", "sandbox", "sandbox_ok", "finished", "draining")

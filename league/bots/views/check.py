"""The page of the check of an upload."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import conditional_page

from league.bots import queries
from league.bots.models import BotVersion
from league.bots.views import check_progress
from league.web.htmx import HtmxRequest, render_live


@login_required
@conditional_page
def upload(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show the check of an upload to its owner, at an address that stays."""
    versions = BotVersion.objects.select_related("bot", "source").prefetch_related("plays")
    version = get_object_or_404(versions, pk=pk, bot__owner=request.user)
    unfinished = version.status in (BotVersion.Status.WAITING, BotVersion.Status.CHECKING)
    context = {
        "version": version,
        "bot": version.bot,
        "rows": check_progress.rows(version),
        "failure": check_progress.failure(version),
        "smoke_matches": version.smoke_matches.results(),
        "limits": settings.LIMITS,
        "wait": queries.wait_of(version),
        "unfinished": unfinished,
    }
    response = render_live(request, "bots/upload.html", "bots/_pipeline.html", context)
    if request.htmx and not unfinished:
        response["HX-Trigger"] = '{"karat:say": "The check is finished."}'
    return response

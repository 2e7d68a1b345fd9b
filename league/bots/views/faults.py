"""What went wrong with a bot: counts for everybody, texts for its owner."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.bots.models import Bot
from league.bots.views.overview import find, owned
from league.bots.views.versions import counts
from league.matches import bench_rule
from league.matches.models import Fault
from runners.faults import message

LATEST = 30


@require_safe
def faults(request: HttpRequest, slug: str) -> HttpResponse:
    """By code and version; the owner also sees where it happened and what Python said."""
    bot = find(slug)
    own = owned(request, bot)
    shown = {
        "section": "bots",
        "bot": bot,
        "own": own,
        "counts": counts(bot),
        "groups": _groups(bot),
        "latest": _latest(bot) if own else [],
        "bench_rule": (bench_rule.FAULTY_COUNT, bench_rule.LATEST_COUNT),
        "days": settings.LOG_DAYS,
    }
    return render(request, "bots/bot_faults.html", shown)


def _groups(bot: Bot) -> list[dict[str, Any]]:
    found = (
        Fault.objects.public()
        .filter(version__bot=bot)
        .order_by()
        .values("code", "version__number")
        .annotate(count=Count("pk"), last=Max("created_at"))
    )
    rows = sorted(found, key=lambda row: (-row["version__number"], row["code"]))
    return [row | {"title": message(row["code"]).title} for row in rows]


def _latest(bot: Bot) -> list[dict[str, Any]]:
    found = Fault.objects.public().filter(version__bot=bot).select_related("seat", "version")
    return [
        {"fault": fault, "message": message(fault.code, match=fault.seat.match_id, step=fault.step)}
        for fault in found.order_by("-pk")[:LATEST]
    ]

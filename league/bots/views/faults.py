"""The faults of a bot: counts for everybody, details for its owner."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.bots.models import Bot
from league.bots.views.overview import find, is_owner
from league.bots.views.versions import counts
from league.matches import bench_rule
from league.matches.models import Fault
from runners.boxed import FILE
from runners.faults import Message, message

LATEST_ROWS = 30


@require_safe
def faults(request: HttpRequest, slug: str) -> HttpResponse:
    """Show counts by code and version; the owner also sees the latest faults with tracebacks."""
    bot = find(slug)
    own = is_owner(request, bot)
    context = {
        "section": "bots",
        "bot": bot,
        "own": own,
        "counts": counts(bot),
        "groups": _groups(bot),
        "latest": _latest(bot) if own else [],
        "bench_rule": (bench_rule.FAULTY_COUNT, bench_rule.LATEST_COUNT),
        "days": settings.LOG_DAYS,
    }
    return render(request, "bots/bot_faults.html", context)


def _groups(bot: Bot) -> list[dict[str, Any]]:
    counts_by_code = (
        Fault.objects.public()
        .filter(version__bot=bot)
        .order_by()
        .values("code", "version__number")
        .annotate(count=Count("pk"), last=Max("created_at"))
    )
    rows = sorted(counts_by_code, key=lambda row: (-row["version__number"], row["code"]))
    return [row | {"title": message(row["code"]).title} for row in rows]


def _latest(bot: Bot) -> list[dict[str, Any]]:
    faults = Fault.objects.public().filter(version__bot=bot).select_related("seat", "version")
    return [
        {"fault": fault, "message": _explain(fault)}
        for fault in faults.order_by("-pk")[:LATEST_ROWS]
    ]


def _explain(fault: Fault) -> Message:
    return message(fault.code, match=fault.seat.match_id, step=fault.step, file=FILE)

"""Pages about the league's own data."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.operate import inspection
from league.operate.models import Inspection

MAX_ROWS = 40


@require_safe
def inspections(request: HttpRequest) -> HttpResponse:
    """Show the results of the nightly inspections."""
    context = {
        "section": "status",
        "latest": inspection.latest(),
        "history": Inspection.objects.filter(seconds__isnull=False)[:MAX_ROWS],
    }
    return render(request, "operate/inspections.html", context)

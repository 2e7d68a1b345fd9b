"""Verifying a ladder at the request of staff: the whole ledger is recomputed, nothing changed."""

from dataclasses import asdict

from django.db.models import QuerySet
from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild


def ask(game: str) -> None:
    """Ask the control process to have a ladder verified: it takes a while."""
    request = {"asked_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=request)


def requested() -> list[str]:
    """Return the games whose ladders have to be verified."""
    return list(requests().order_by("game").values_list("game", flat=True))


def requests() -> "QuerySet[Ladder]":
    """Return the ladders that have to be verified."""
    asked_for = Ladder.objects.filter(verification__has_key="asked_at")
    return asked_for.exclude(verification__has_key="done_at")


def run(game: str) -> None:
    """Recompute the ledger of a requested ladder, and store the result."""
    request = Ladder.objects.values_list("verification", flat=True).get(game=game)
    result = asdict(rebuild(game, write=False))
    verification = {**request, **result, "done_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=verification)

"""Verifying a ladder at the request of staff: the whole ledger is recomputed, nothing changed."""

from dataclasses import asdict

from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild


def ask(game: str) -> None:
    """Ask the control process to have a ladder verified: it takes a while."""
    request = {"asked_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=request)


def requested() -> list[str]:
    """Return the games whose ladders have to be verified."""
    verifications = Ladder.objects.order_by("game").values_list("game", "verification")
    return [
        game
        for game, verification in verifications
        if "asked_at" in verification and "done_at" not in verification
    ]


def run(game: str) -> None:
    """Recompute the ledger of a requested ladder, and store the result."""
    request = Ladder.objects.values_list("verification", flat=True).get(game=game)
    result = asdict(rebuild(game, write=False))
    verification = {**request, **result, "done_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=verification)

"""Verifying a ladder when staff ask for it: the whole ledger is recomputed, nothing changed."""

from dataclasses import asdict

from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild


def ask(game: str) -> None:
    """Let the control process have it done: it takes a while."""
    asked = {"asked_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=asked)


def requested() -> list[str]:
    """Return the games of the ladders that somebody asked about and that were not looked at yet."""
    verifications = Ladder.objects.order_by("game").values_list("game", "verification")
    return [
        game
        for game, verification in verifications
        if "asked_at" in verification and "done_at" not in verification
    ]


def run(game: str) -> None:
    """Compute the ledger of a ladder that was asked about, and keep what came out."""
    asked = Ladder.objects.values_list("verification", flat=True).get(game=game)
    found = asdict(rebuild(game, write=False))
    done = {**asked, **found, "done_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(verification=done)

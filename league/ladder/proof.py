"""The proof of a ladder that staff ask for: the whole ledger computed anew, changing nothing."""

from dataclasses import asdict

from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.rebuild import rebuild


def ask(game: str) -> None:
    """Let the control process do it: it takes a while."""
    asked = {"asked_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(proof=asked)


def run(game: str) -> None:
    """Do it, unless nobody asked or it was done already."""
    asked = Ladder.objects.values_list("proof", flat=True).filter(game=game).first() or {}
    if "asked_at" not in asked or "done_at" in asked:
        return
    found = asdict(rebuild(game, write=False))
    done = {**asked, **found, "done_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(proof=done)

"""The proof of a ladder that staff ask for: the whole ledger computed anew, changing nothing."""

from dataclasses import asdict

from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild


def ask(game: str) -> None:
    """Let the control process have it done: it takes a while."""
    asked = {"asked_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(proof=asked)


def requested() -> list[str]:
    """Return the games of the ladders that somebody asked about and that were not looked at yet."""
    proofs = Ladder.objects.order_by("game").values_list("game", "proof")
    return [game for game, proof in proofs if "asked_at" in proof and "done_at" not in proof]


def run(game: str) -> None:
    """Compute the ledger of a ladder that was asked about, and keep what came out."""
    asked = Ladder.objects.values_list("proof", flat=True).get(game=game)
    found = asdict(rebuild(game, write=False))
    done = {**asked, **found, "done_at": timezone.now().isoformat()}
    Ladder.objects.filter(game=game).update(proof=done)

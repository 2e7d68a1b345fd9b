"""What can happen to the chances in a match: somebody claims it, computes them, stores them."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from bots_sdk.chances.values import CHANCES_VERSION, Chances
from league.chances.estimating import chances_in
from league.chances.models import MatchChances
from league.matches.models import Match

MAX_AGE = timedelta(hours=24)
"""Older matches are left to `manage.py rebuild_chances`."""


def compute(match_id: int, *, anew: bool = False) -> bool:
    """Estimate and store the chances in a match. Return whether there was something to do.

    Harmless if several workers do it: one claims the match, and all would get the same numbers.
    `anew` does it whatever was done before.
    """
    match = Match.objects.finished().select_related("record").filter(pk=match_id).first()
    if match is None or not hasattr(match, "record") or not (_claim(match) or anew):
        return False
    store(match, chances_in(match.game, match.record))
    return True


def _claim(match: Match) -> bool:
    """Make the row of a match, or take over that of another version. Return whether it was done."""
    fields = {"version": CHANCES_VERSION, "finished_at": match.finished_at}
    try:
        _, created = MatchChances.objects.get_or_create(match=match, defaults=fields)
    except IntegrityError:
        return False  # The match was deleted.
    former = MatchChances.objects.filter(match=match).exclude(version=CHANCES_VERSION)
    return created or former.update(data={}, swing=0.0, computed_at=None, **fields) == 1


@transaction.atomic
def store(match: Match, chances: Chances) -> None:
    """Store the chances in a match that was claimed, and how much there is to watch in it."""
    Match.objects.filter(pk=match.pk).update(excitement=chances.swing)
    MatchChances.objects.filter(match=match).update(
        version=chances.version,
        data=chances.as_data() if chances.rows else {},
        swing=chances.swing,
        computed_at=timezone.now(),
    )

"""What can happen to the chances in a match: somebody claims it, computes them, stores them."""

from collections.abc import Callable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from bots_sdk.chances.values import CHANCES_VERSION, Chances
from league.chances.estimating import Stopped, chances_in, never
from league.chances.models import MAX_ATTEMPTS, MatchChances
from league.matches.models import Match

MAX_AGE = timedelta(hours=24)
"""Older matches are left to `manage.py rebuild_chances`."""
CLAIM_AGE = timedelta(minutes=5)
"""Whoever has not finished by then was killed: a worker allows itself a minute."""


def compute(match_id: int, *, anew: bool = False, is_stopping: Callable[[], bool] = never) -> bool:
    """Estimate and store the chances in a match. Return whether it was done.

    Harmless if several workers do it: one claims the match, and all would get the same numbers.
    `anew` does it whatever was done before. Once `is_stopping`, the match is left to others.
    """
    match = Match.objects.finished().select_related("record").filter(pk=match_id).first()
    if match is None or not hasattr(match, "record") or not (_claim(match) or anew):
        return False
    try:
        chances = chances_in(match.game, match.record, is_stopping)
    except Stopped:
        MatchChances.objects.filter(match=match, computed_at=None).delete()
        return False
    store(match, chances)
    return True


def _claim(match: Match) -> bool:
    """Make the row of a match, or take over one: of another version, or of somebody who was killed.

    Return whether it was done.
    """
    now = timezone.now()
    fields = {"version": CHANCES_VERSION, "finished_at": match.finished_at, "claimed_at": now}
    try:
        _, created = MatchChances.objects.get_or_create(match=match, defaults=fields)
    except IntegrityError:
        return False  # The match was deleted.
    row = MatchChances.objects.filter(match=match)
    former = row.exclude(version=CHANCES_VERSION)
    if created or former.update(**fields, data={}, swing=0.0, computed_at=None, attempts=1) == 1:
        return True
    abandoned = row.unfinished().filter(claimed_at__lt=now - CLAIM_AGE, attempts__lt=MAX_ATTEMPTS)
    return abandoned.update(claimed_at=now, attempts=F("attempts") + 1) == 1


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

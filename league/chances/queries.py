"""Reading chances: those of a match, what is still to do, and the match of the day."""

from datetime import timedelta

from django.db.models import Avg, F, Q, QuerySet
from django.utils import timezone

from bots_sdk.chances.values import CHANCES_VERSION, NO_CHANCES, Chances
from bots_sdk.rating.skill import CAUTION
from league.chances.models import MatchChances
from league.matches.models import Match

WINDOWS = (timedelta(hours=24), timedelta(days=7), None)
"""The match of the day is one of the first of these in which there is one; at last of any time."""
MAX_CANDIDATES = 60
STRENGTH_PART = 0.05
"""What a point of mean strength counts, on the scale of swings: the best tables get about 1.5."""
MAX_DECISIONS = 200
"""Nobody watches more decisions than this while looking at a home page."""
DECISION_PART = 0.02
"""What each decision beyond that takes away."""


def chances_of(match: Match) -> Chances:
    """Return the chances in a match; none if they are not known, or by another version."""
    row = getattr(match, "chances", None)
    if row is None or row.version != CHANCES_VERSION or not row.data:
        return NO_CHANCES
    return Chances.from_data(row.data)


def without_chances(since: timedelta | None = None) -> QuerySet[Match]:
    """Return the finished matches with a record whose chances are not of the current version."""
    matches = Match.objects.finished().filter(record__isnull=False)
    if since is not None:
        matches = matches.filter(finished_at__gte=timezone.now() - since)
    return matches.exclude(chances__version=CHANCES_VERSION)


def match_of_the_day() -> int | None:
    """Return the public match most worth watching: one that turned, with strong bots, not too long.

    Without any estimates it is the latest one that is not too long, if there is one.
    """
    for window in WINDOWS:
        if candidates := _candidates(window):
            return _best(candidates)
    latest = Match.objects.finished().public().filter(record__isnull=False)
    ids = latest.values_list("pk", flat=True)
    return ids.filter(decisions__lte=MAX_DECISIONS).first() or ids.first()


def _candidates(window: timedelta | None) -> dict[int, float]:
    """Return the public matches of some time that turned most; of all time, the latest ones."""
    rows = MatchChances.objects.filter(
        match__hidden=False, match__status=Match.Status.FINISHED, version=CHANCES_VERSION
    ).exclude(data={})
    if window is None:
        rows = rows.order_by("-finished_at", "-match")
    else:
        rows = rows.filter(finished_at__gte=timezone.now() - window).order_by("-swing", "-match")
    return dict(rows.values_list("match", "swing")[:MAX_CANDIDATES])


def _best(candidates: dict[int, float]) -> int:
    # The ratings of the ladder, through the rows that belong to the versions: ladders are above.
    rating = "seats__version__ratings__"
    rows = (
        Match.objects.filter(pk__in=candidates)
        .annotate(
            strength=Avg(
                F(f"{rating}mu") - CAUTION * F(f"{rating}sigma"),
                filter=Q(**{f"{rating}ladder": F("game")}),
            )
        )
        .values_list("pk", "strength", "decisions")
    )
    return max(
        (
            candidates[pk]
            + STRENGTH_PART * (strength or 0.0)
            - DECISION_PART * max(0, decisions - MAX_DECISIONS),
            pk,
        )
        for pk, strength, decisions in rows
    )[1]

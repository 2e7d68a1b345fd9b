"""Reading chances: those of a match, what is still to do, and the match of the day."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Avg, F, Q, QuerySet
from django.utils import timezone

from bots_sdk.chances.values import CHANCES_VERSION, NO_CHANCES, Chances
from bots_sdk.rating.skill import CAUTION
from league.chances.models import MAX_ATTEMPTS, MatchChances
from league.matches.models import Match

DAY, WEEK = timedelta(days=1), timedelta(days=7)
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
    """Return the finished matches with a record whose chances are still to be computed by the
    current version. Those that were given up are not among them.
    """
    matches = Match.objects.finished().filter(record__isnull=False)
    if since is not None:
        matches = matches.filter(finished_at__gte=timezone.now() - since)
    computed = Q(chances__computed_at__isnull=False)
    given_up = Q(chances__attempts__gte=MAX_ATTEMPTS)
    return matches.exclude(computed | given_up, chances__version=CHANCES_VERSION)


def of_tournaments(matches: Iterable[int]) -> set[int]:
    """Return which of these matches belong to a tournament."""
    rows = Match.objects.filter(pk__in=list(matches), kind=Match.Kind.TOURNAMENT)
    return set(rows.values_list("pk", flat=True))


def match_of_the_day() -> int | None:
    """Return the public match most worth watching: one that turned, with strong bots, not too long.

    Without estimates it is the latest one that is not too long, if there is one.
    """
    matches = Match.objects.finished().public().filter(record__isnull=False)
    latest = matches.first()
    if latest is None or latest.finished_at is None:
        return None
    if settings.CHANCES:
        now = timezone.now()
        # In a league that rests, the last week in which it played.
        for since in (now - DAY, now - WEEK, latest.finished_at - WEEK):
            if candidates := _candidates(since):
                return _best(candidates)
    short = matches.filter(decisions__lte=MAX_DECISIONS).values_list("pk", flat=True)
    return short.first() or latest.pk


def _candidates(since: datetime) -> dict[int, float]:
    """Return the public matches since then that turned most."""
    rows = MatchChances.objects.filter(
        match__hidden=False,
        match__status=Match.Status.FINISHED,
        match__record__isnull=False,
        version=CHANCES_VERSION,
        finished_at__gte=since,
    ).exclude(data={})
    best = rows.order_by("-swing", "-match").values_list("match", "swing")
    return dict(best[:MAX_CANDIDATES])


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

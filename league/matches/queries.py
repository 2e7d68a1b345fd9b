"""Reading the queue of matches and the quota of challenges."""

from django.conf import settings
from django.db.models import Count, Min
from django.utils import timezone

from league.accounts import quota_day
from league.accounts.models import User
from league.matches.models import Match


def challenges_left(user: User) -> int:
    """Return how many matches the user may still ask for today."""
    used = Match.objects.filter(asked_by=user, created_at__gte=quota_day.today()).count()
    return max(0, int(settings.CHALLENGES_PER_DAY) - used)


def oldest_wait_seconds() -> float:
    """Return how long the oldest queued match has been waiting."""
    oldest = Match.objects.queued().aggregate(oldest=Min("created_at"))["oldest"]
    return (timezone.now() - oldest).total_seconds() if oldest else 0.0


def place_in_queue(match: Match) -> int | None:
    """Return how many matches are played until this one is; None if it is not queued."""
    if match.status != Match.Status.QUEUED:
        return None
    own = Match.objects.queued().filter(lane=match.lane)
    place = own.filter(priority__lt=match.priority).count()
    place += own.filter(priority=match.priority, pk__lte=match.pk).count()
    # Lanes take turns, so each of the others is served as often meanwhile, if it has so many.
    others = Match.objects.queued().order_by().exclude(lane=match.lane).values_list("lane")
    counts = [count for _, count in others.annotate(Count("pk"))]
    return int(place + sum(min(place, count) for count in counts))

"""How many games one person may book with tournaments, so that nobody blocks the others.

Games are counted as if every tournament were full, until it starts and its size is known. Whoever
calls `refuse_beyond` is in a transaction; requests of one person wait for each other there.
The league itself has no quota.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum

from league.accounts import quota_day, services as accounts
from league.accounts.models import User
from league.errors import Refused
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.planning.formats import load
from league.tournaments.planning.schedule import MIN_GAP, Schedule
from league.tournaments.wording import count


@dataclass(frozen=True, slots=True)
class Booking:
    """Tournaments and their games: what is allowed, used or left."""

    tournaments: int
    games: int
    tournaments_today: int
    games_today: int

    def minus(self, used: "Booking") -> "Booking":
        """Return what is left, at least 0 of each."""
        return Booking(
            max(0, self.tournaments - used.tournaments),
            max(0, self.games - used.games),
            max(0, self.tournaments_today - used.tournaments_today),
            max(0, self.games_today - used.games_today),
        )


def max_games(config: Mapping[str, Any], max_entries: int) -> int:
    """Return the number of games if as many bots enter as may."""
    form, chosen = load(config)
    return form.total_games(chosen, max_entries) if not chosen.refusal_reason(max_entries) else 0


def allowed(user: User) -> Booking:
    """Return what somebody may book; organisers and staff may book more."""
    factor = settings.ORGANISER_QUOTA_FACTOR if user.is_staff or user.is_organiser else 1
    return Booking(
        settings.TOURNAMENTS_OPEN * factor,
        settings.TOURNAMENT_GAMES_OPEN * factor,
        settings.TOURNAMENTS_PER_DAY * factor,
        settings.TOURNAMENT_GAMES_PER_DAY * factor,
    )


def left(user: User, besides: Tournament | None = None) -> Booking:
    """Return what somebody may still book, not counting the tournament `besides`."""
    own = Tournament.objects.filter(organiser=user)
    if besides is not None:
        own = own.exclude(pk=besides.pk)
    not_over = own.not_over().aggregate(count=Count("pk"), games=Sum("max_games"))
    today = own.filter(created_at__gte=quota_day.today()).aggregate(
        count=Count("pk"), games=Sum("max_games")
    )
    used = Booking(not_over["count"], not_over["games"] or 0, today["count"], today["games"] or 0)
    return allowed(user).minus(used)


def refuse_beyond(user: User | None, games: int, besides: Tournament | None = None) -> None:
    """Refuse a tournament with more games than the quota of its organiser allows."""
    if user is None:
        return
    accounts.take_turns(user)
    free, limits = left(user, besides), allowed(user)
    if not free.tournaments:
        reason = f"Your limit of {count(limits.tournaments, 'tournament')} at a time is reached"
        raise Refused("L012", status=409, reason=reason)
    if games > free.games:
        raise Refused("L012", status=409, reason=_too_many(games, free.games, limits.games))
    when = quota_day.until_tomorrow()
    if not free.tournaments_today:
        reason = f"You have created {count(limits.tournaments_today, 'tournament')} today"
        raise Refused("L012", status=429, reason=reason, when=when)
    if games > free.games_today:
        reason = _too_many(games, free.games_today, limits.games_today, "today ")
        raise Refused("L012", status=429, reason=reason, when=when)


def book_more(tournament: Tournament, games: int) -> None:
    """Add the games of a re-run; refuse them beyond the quota."""
    if (user := tournament.organiser) is not None:
        accounts.take_turns(user)
        free, limits = left(user), allowed(user)
        if games > free.games:
            reason = f"Your quota of {limits.games:,} games in unfinished tournaments is used up"
            raise Refused("L012", status=409, reason=f"{reason}: {count(free.games, 'game')} left")
    tournament.max_games += games
    tournament.save(update_fields=["max_games"])


def _too_many(games: int, free: int, limit: int, when: str = "") -> str:
    return (
        f"With all entries this would be {count(games, 'game')}, and of the {limit:,} that you may"
        f" book {when}{free:,} are left"
    )


def refuse_recurring(
    user: User | None, schedule: Schedule, besides: RecurringTournament | None = None
) -> None:
    """Refuse one more recurring tournament, or one that recurs too often."""
    if user is None:
        return
    accounts.take_turns(user)
    limits = allowed(user)
    own = RecurringTournament.objects.filter(organiser=user)
    others = own if besides is None else own.exclude(pk=besides.pk)
    if others.filter(stopped=False).count() >= limits.tournaments:
        reason = f"Your limit of {count(limits.tournaments, 'recurring tournament')} is reached"
        raise Refused("L012", status=409, reason=reason)
    today = own.filter(created_at__gte=quota_day.today()).count()
    if besides is None and today >= limits.tournaments_today:
        reason = f"You have created {count(limits.tournaments_today, 'recurring tournament')} today"
        raise Refused("L012", status=429, reason=reason, when=quota_day.until_tomorrow())
    gap = min_gap(user)
    if schedule.shortest_gap() < gap:
        minutes = int(gap.total_seconds() // 60)
        reason = f"Leave at least {minutes} minutes between two tournaments"
        raise Refused("L012", status=422, reason=reason)


def min_gap(user: User) -> timedelta:
    """Return the least time between two dates of a recurring tournament."""
    if user.is_staff or user.is_organiser:
        return MIN_GAP
    return max(MIN_GAP, timedelta(minutes=settings.RECURRING_GAP_MINUTES))


def sentence(user: User, games: int, besides: Tournament | None = None) -> str:
    """Return for the cost line how much of the quota a tournament would use up."""
    free = left(user, besides)
    games_left = min(free.games, free.games_today)
    fits = games <= games_left and free.tournaments and free.tournaments_today
    text = (
        f"If every place is taken, this uses {count(games, 'game')} of your quota. You have"
        f" {count(games_left, 'game')} and {count(free.tournaments, 'tournament')} left."
    )
    return text if fits else f"{text} That is too much, so it cannot be saved."

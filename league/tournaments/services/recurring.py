"""Recurring tournaments: each date becomes one tournament, whichever process looks first."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.accounts.models import User
from league.bots.models import Bot
from league.control.work import MAX_ROWS, portion
from league.errors import Refused
from league.tournaments.models import Entry, RecurringTournament, Tournament
from league.tournaments.planning.schedule import Schedule, due
from league.tournaments.services import entries, lifecycle, terms
from league.tournaments.services.permissions import may_rate
from league.tournaments.services.quotas import max_games, refuse_beyond, refuse_recurring

LATE_ENTRY = timedelta(minutes=5)
"""How long entry stays open for a missed date that is held late."""
MAX_AHEAD = 3
"""How many of its tournaments may wait for their start, however early entry opens."""


def schedule_of(recurring: RecurringTournament) -> Schedule:
    """Return when it is held."""
    return Schedule(recurring.cron, recurring.zone, "run" if recurring.missed == "run" else "skip")


def next_dates(recurring: RecurringTournament, count: int = 5) -> list[datetime]:
    """Return the next dates, in UTC; none if it is stopped."""
    if recurring.stopped:
        return []
    # Before the first date, `looked_at` says from when on it is held; later, it may be ahead of
    # dates whose entry is open.
    since = timezone.now() if recurring.count else max(recurring.looked_at, timezone.now())
    return [at.astimezone(UTC) for at in schedule_of(recurring).preview(since, count)]


@transaction.atomic
def create_recurring(
    organiser: User | None, name: str, game: str, config: dict[str, Any], **fields: Any
) -> RecurringTournament:
    """Create one whose first tournament opens automatically. `fields` are further fields."""
    hosted = organiser is not None
    fields |= terms.check_terms(organiser, game, config, fields, hosted=hosted)
    recurring = RecurringTournament(
        organiser=organiser,
        name=name.strip()[:60],
        slug=terms.free_slug(name, RecurringTournament),
        game=game,
        **{"looked_at": timezone.now(), **fields},
    )
    if problems := schedule_of(recurring).problems():
        raise Refused("L011", status=422, reason=problems[0].message.rstrip("."))
    refuse_recurring(organiser, schedule_of(recurring))
    refuse_beyond(organiser, max_games(recurring.config, recurring.max_entries))
    recurring.save()
    return recurring


def stop(recurring: RecurringTournament) -> None:
    """Hold no further tournament. Those that are open take place."""
    RecurringTournament.objects.filter(pk=recurring.pk).update(stopped=True)


@transaction.atomic
def resume(recurring: RecurringTournament) -> None:
    """Resume with the next date; dates that passed meanwhile are skipped."""
    refuse_recurring(recurring.organiser, schedule_of(recurring), besides=recurring)
    RecurringTournament.objects.filter(pk=recurring.pk, stopped=True).update(
        stopped=False, looked_at=timezone.now()
    )


def occurrences(recurring: RecurringTournament, now: datetime) -> list[tuple[datetime, bool]]:
    """Return the dates to deal with now, and whether each takes place: those whose entry opens, and
    those that were missed.
    """
    schedule = schedule_of(recurring)
    dates = [(one.at, one.runs) for one in due(schedule, recurring.looked_at, now)]
    last = max([recurring.looked_at, now])
    for at in schedule.after(last):
        if at > now + timedelta(minutes=recurring.entry_minutes) or len(dates) >= MAX_ROWS:
            break
        dates.append((at, True))
    return dates


def open_due_tournaments(recurring: RecurringTournament, now: datetime) -> None:
    """Open the tournaments whose time has come, as far as there is room for them."""
    waiting = recurring.occurrences.coming().count()
    for at, runs in portion(occurrences(recurring, now)):
        if runs and waiting >= MAX_AHEAD:
            break
        if runs:
            try:
                _open(recurring, at, now)
            except Refused as refusal:
                _block(recurring, refusal.message.explanation)
                break
            waiting += 1
            _block(recurring, "")
        RecurringTournament.objects.filter(pk=recurring.pk, looked_at__lt=at).update(looked_at=at)


def _block(recurring: RecurringTournament, because: str) -> None:
    """Store why the next date waits; an empty text once it no longer does."""
    row = RecurringTournament.objects.filter(pk=recurring.pk).exclude(blocked_because=because[:300])
    row.update(blocked_because=because[:300])


def _open(recurring: RecurringTournament, at: datetime, now: datetime) -> None:
    """Open the tournament of a date. The database lets only one process do it."""
    late = at <= now
    starts_at = max(at, now + LATE_ENTRY) if late else at
    closing = timedelta(minutes=0 if late else recurring.closing_minutes)
    try:
        with transaction.atomic():
            row = RecurringTournament.objects.select_for_update().get(pk=recurring.pk)
            if row.occurrences.filter(planned_at=at).exists():
                return
            row.count += 1
            row.save(update_fields=["count"])
            tournament = lifecycle.create(
                row.organiser,
                f"{row.name} #{row.count}",
                row.game,
                {**row.config, "seed": f"{row.slug} {at.isoformat()}"},
                recurring=row,
                planned_at=at,
                starts_at=starts_at,
                locks_at=max(starts_at - closing, min(starts_at, now)),
                zone=row.zone,
                **row.terms() | {"rated": _still_rated(row)},
            )
            lifecycle.publish(tournament, None)
            _enter_bots(row, tournament)
    except IntegrityError:
        return


def _still_rated(recurring: RecurringTournament) -> bool:
    """Return whether it still counts for ratings: its organiser may have lost the role."""
    return recurring.rated and (recurring.organiser is None or may_rate(recurring.organiser))


def _enter_bots(recurring: RecurringTournament, tournament: Tournament) -> None:
    """Enter house bots and the bots of the last tournament, as far as it is set so."""
    bots: list[Bot] = []
    if recurring.house:
        bots += Bot.objects.filter(owner=None).playing(recurring.game)
    last = recurring.occurrences.exclude(pk=tournament.pk).order_by("-planned_at").first()
    if recurring.carries_over and last:
        stayed = last.entries.filter(status=Entry.Status.PLAYING).select_related("bot__active")
        bots += [entry.bot for entry in stayed if entry.bot not in bots]
    for bot in bots:
        try:
            entries.enter(tournament, bot, None, tournament.invite_code)
        except Refused:
            # It is full, or the bot has no version that plays: it takes place without this bot.
            continue

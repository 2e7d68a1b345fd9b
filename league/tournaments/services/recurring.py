"""Cups: each date of the schedule becomes a tournament, exactly once, whoever looks first."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.control.work import MAX_ROWS, portion
from league.errors import Refused
from league.matches.game_options import chosen_options
from league.tournaments.models import Cup, Entry, Tournament
from league.tournaments.planning.schedule import Schedule, due
from league.tournaments.services import entries, lifecycle
from league.tournaments.services.quotas import max_games, refuse_beyond, refuse_recurring

LATE_ENTRY = timedelta(minutes=5)
"""A date that is made up for leaves people this long to enter."""
MAX_AHEAD = 3
"""So many tournaments of a cup wait for their start at most, however early entry opens."""


def schedule_of(cup: Cup) -> Schedule:
    """When it comes round."""
    return Schedule(cup.cron, cup.zone, "run" if cup.missed == "run" else "skip")


def next_dates(cup: Cup, count: int = 5) -> list[datetime]:
    """When it is held next, in UTC; never, if it is stopped."""
    if cup.stopped:
        return []
    # Until the first is made, `looked_at` says from when on it comes round; later, it may be ahead
    # of dates whose entry is open.
    since = timezone.now() if cup.count else max(cup.looked_at, timezone.now())
    return [at.astimezone(UTC) for at in schedule_of(cup).preview(since, count)]


@transaction.atomic
def create_cup(
    organiser: User | None, name: str, game: str, config: dict[str, Any], **facts: Any
) -> Cup:
    """A cup whose first occurrence opens by itself. `facts` are further fields."""
    lifecycle.refuse_rating(organiser, rated=bool(facts.get("rated")))
    if game not in GAMES:
        raise Refused("L011", status=422, reason=f"There is no game `{game[:40]}`")
    lifecycle.refuse_moments(facts)
    settled = lifecycle.complete_config(game, config)
    facts["options"] = chosen_options(game, settled["seats"], facts.get("options") or {}, "L011")
    cup = Cup(
        organiser=organiser,
        name=name.strip()[:60],
        slug=lifecycle.free_slug(name, Cup),
        game=game,
        config=settled,
        **{"looked_at": timezone.now(), **facts},
    )
    if problems := schedule_of(cup).problems():
        raise Refused("L011", status=422, reason=problems[0].message.rstrip("."))
    refuse_recurring(organiser, schedule_of(cup))
    refuse_beyond(organiser, max_games(cup.config, cup.max_entries))
    cup.save()
    return cup


def stop(cup: Cup) -> None:
    """No further occurrence is made. The one that is open takes place."""
    Cup.objects.filter(pk=cup.pk).update(stopped=True)


@transaction.atomic
def resume(cup: Cup) -> None:
    """Go on from the next date; none of those that passed meanwhile is made up for."""
    refuse_recurring(cup.organiser, schedule_of(cup), besides=cup)
    Cup.objects.filter(pk=cup.pk, stopped=True).update(stopped=False, looked_at=timezone.now())


def occurrences(cup: Cup, now: datetime) -> list[tuple[datetime, bool]]:
    """The dates to deal with now: those whose entry opens, and those that were missed."""
    schedule = schedule_of(cup)
    found = [(one.at, one.runs) for one in due(schedule, cup.looked_at, now)]
    last = max([cup.looked_at, now])
    for at in schedule.after(last):
        if at > now + timedelta(minutes=cup.entry_minutes) or len(found) >= MAX_ROWS:
            break
        found.append((at, True))
    return found


def open_due_tournaments(cup: Cup, now: datetime) -> None:
    """Make the tournaments whose time has come, as far as there is room for them."""
    waiting = cup.occurrences.coming().count()
    for at, runs in portion(occurrences(cup, now)):
        if runs and waiting >= MAX_AHEAD:
            break
        if runs:
            try:
                _occur(cup, at, now)
            except Refused as no:
                _block(cup, no.message.explanation)
                break
            waiting += 1
            _block(cup, "")
        Cup.objects.filter(pk=cup.pk, looked_at__lt=at).update(looked_at=at)


def _block(cup: Cup, because: str) -> None:
    """Keep why the next date waits, until it does no longer."""
    row = Cup.objects.filter(pk=cup.pk).exclude(blocked_because=because[:300])
    row.update(blocked_because=because[:300])


def _occur(cup: Cup, at: datetime, now: datetime) -> None:
    """One occurrence. The database lets only one process make it."""
    late = at <= now
    starts_at = max(at, now + LATE_ENTRY) if late else at
    closing = timedelta(minutes=0 if late else cup.closing_minutes)
    try:
        with transaction.atomic():
            row = Cup.objects.select_for_update().get(pk=cup.pk)
            if row.occurrences.filter(planned_at=at).exists():
                return
            row.count += 1
            row.save(update_fields=["count"])
            made = lifecycle.create(
                row.organiser,
                f"{row.name} #{row.count}",
                row.game,
                {**row.config, "seed": f"{row.slug} {at.isoformat()}"},
                cup=row,
                planned_at=at,
                starts_at=starts_at,
                locks_at=max(starts_at - closing, min(starts_at, now)),
                zone=row.zone,
                **row.terms() | {"rated": _still_rated(row)},
            )
            lifecycle.publish(made, None)
            _invite(row, made)
    except IntegrityError:
        return


def _still_rated(cup: Cup) -> bool:
    """The cup of an organiser who lost the role goes on, without counting."""
    return cup.rated and (cup.organiser is None or lifecycle.may_rate(cup.organiser))


def _invite(cup: Cup, tournament: Tournament) -> None:
    """House bots if wanted, and everybody who was in the last one."""
    invited: list[Bot] = []
    if cup.house:
        invited += Bot.objects.filter(owner=None).playing(cup.game)
    last = cup.occurrences.exclude(pk=tournament.pk).order_by("-planned_at").first()
    if cup.carries_over and last:
        stayed = last.entries.filter(status=Entry.Status.PLAYING).select_related("bot__active")
        invited += [entry.bot for entry in stayed if entry.bot not in invited]
    for bot in invited:
        try:
            entries.enter(tournament, bot, None, tournament.invite_code)
        except Refused:
            # Full, or the bot has nothing that plays: the cup takes place without it.
            continue

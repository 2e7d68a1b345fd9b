"""The life of a tournament: draft, open, locked, running, final or cancelled.

Every function checks that the state allows it, changes it under the lock of the tournament's row,
and writes a line into its audit log. Time alone moves it on too: `move_on` is called every second
and may be called by two processes at once.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from bots_sdk.rating.skill import Rating
from league.accounts.models import User
from league.database.transactions import atomic_with_retries
from league.errors import Refused
from league.ladder.models import LadderRating
from league.matches import revealing
from league.matches.statistics.totals import Counted
from league.tournaments.models import DEFAULT_ENTRIES, Entry, Tournament
from league.tournaments.planning.formats import load
from league.tournaments.queries.rounds import matches_of
from league.tournaments.sealing import services as sealing
from league.tournaments.services import ending, quotas, rounds, tables, terms
from league.tournaments.services.audit import lock_row, note
from league.tournaments.wording import count

State = Tournament.State


@transaction.atomic
def create(
    organiser: User | None, name: str, game: str, config: dict[str, Any], **fields: Any
) -> Tournament:
    """Create a draft. `fields` are further fields of the tournament."""
    hosted = organiser is not None
    fields |= terms.check_terms(organiser, game, config, fields, hosted=hosted)
    max_entries = fields.get("max_entries", DEFAULT_ENTRIES)
    fields["max_games"] = quotas.max_games(fields["config"], max_entries)
    quotas.refuse_beyond(organiser, fields["max_games"])
    slug = terms.free_slug(name, Tournament)
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                organiser=organiser,
                name=name.strip()[:80],
                slug=slug,
                game=game,
                master_seed=secrets.token_hex(32),
                **fields,
            )
    except IntegrityError:
        raise Refused("L011", reason="There is such a tournament already") from None


@transaction.atomic
def change(
    tournament: Tournament,
    user: User,
    name: str,
    game: str,
    config: dict[str, Any],
    **fields: Any,
) -> Tournament:
    """Change the terms of a tournament that nobody has entered yet. Its address stays."""
    row = lock_row(tournament, State.DRAFT, State.OPEN)
    if row.entries.filter(status=Entry.Status.PLAYING).exists():
        raise Refused("L011", reason=f"Bots have entered {row}: its format stays")
    terms.refuse_closed(fields.get("locks_at", row.locks_at))
    terms.refuse_title(name)
    # Whoever changes it, its organiser reveals.
    hosted = row.organiser is not None
    fields |= terms.check_terms(user, game, config, fields, hosted=hosted)
    max_entries = fields.get("max_entries", row.max_entries)
    fields["max_games"] = quotas.max_games(fields["config"], max_entries)
    quotas.refuse_beyond(row.organiser, fields["max_games"], besides=row)
    fields |= {"name": name.strip()[:80], "game": game}
    for field, value in fields.items():
        setattr(row, field, value)
    row.save(update_fields=list(fields))
    note(row, user, "changed the draft" if row.state == State.DRAFT else "changed its terms")
    return row


@transaction.atomic
def publish(tournament: Tournament, user: User | None) -> None:
    """Open it for entries."""
    row = lock_row(tournament, State.DRAFT)
    if row.starts_at < row.locks_at:
        raise Refused("L011", status=422, reason="It cannot start before entry closes")
    if user is not None:
        terms.refuse_closed(row.locks_at)
    row.published_at = timezone.now()
    row.save(update_fields=["published_at"])
    _become(row, State.OPEN, user, "published it: entry is open")


@transaction.atomic
def lock(tournament: Tournament, user: User | None = None) -> None:
    """Close entry and freeze the seeding: by cautious rating, then by who came first."""
    row = lock_row(tournament, State.OPEN)
    row.locks_at = min(row.locks_at, timezone.now())
    row.save(update_fields=["locks_at"])
    ratings = {
        rating.version_id: Rating(rating.mu, rating.sigma).cautious
        for rating in LadderRating.objects.filter(
            ladder=row.game, version__bot__tournament_entries__tournament=row
        )
    }
    entries = list(row.entries.filter(status=Entry.Status.PLAYING).select_related("bot"))
    for entry in entries:
        entry.rating = ratings.get(entry.bot.active_id) if entry.bot.active_id else None
    entries.sort(key=lambda e: (e.rating is None, -(e.rating or 0), e.entered_at, e.pk))
    for rank, entry in enumerate(entries, start=1):
        entry.rank = rank
    Entry.objects.bulk_update(entries, ["rating", "rank"])
    _become(row, State.LOCKED, user, f"closed entry with {count(len(entries), 'bot')}")


@transaction.atomic
def start(tournament: Tournament, user: User | None = None) -> None:
    """Freeze the versions and begin the first round; cancel what cannot be played."""
    row = lock_row(tournament, State.LOCKED)
    _, config = load(row.config)
    bot_count = rounds.take_versions(row)
    if reason := config.refusal_reason(bot_count):
        _cancel(row, user, reason)
        return
    row.started_at = timezone.now()
    row.max_games = quotas.max_games(row.config, bot_count)
    if row.event_night and row.reveal_after_minutes is not None:
        row.next_reveal_at = row.started_at + timedelta(minutes=row.reveal_after_minutes)
    row.save(update_fields=["started_at", "max_games", "next_reveal_at"])
    _become(row, State.RUNNING, user, f"started it with {count(bot_count, 'bot')}")
    rounds.begin_next(row)


def cancel(tournament: Tournament, user: User | None, because: str) -> None:
    """Cancel it: it has no places, waiting matches are void, and what is sealed is public."""
    ahead = revealing.count_ahead(matches_of(list(tournament.rounds.all())))
    with transaction.atomic():
        row = lock_row(tournament, State.DRAFT, State.OPEN, State.LOCKED, State.RUNNING)
        _cancel(row, user, because, ahead)


def _cancel(row: Tournament, user: User | None, because: str, ahead: Counted | None = None) -> None:
    row.cancelled_because = because[:200]
    row.finished_at = timezone.now()
    row.save(update_fields=["cancelled_because", "finished_at"])
    tables.void_waiting(row, "its tournament was cancelled", ahead)
    row.rounds.filter(sealed=True).update(sealed=False, frozen=False, revealed_at=row.finished_at)
    _become(row, State.CANCELLED, user, f"cancelled it: {because}")


def move_on(tournament: Tournament, now: datetime) -> None:
    """Do what time or finished matches call for. Harmless to call at any moment."""
    if tournament.state == State.OPEN and tournament.locks_at <= now:
        _attempt(lock, tournament)
        tournament.refresh_from_db()
    if tournament.state == State.LOCKED and tournament.starts_at <= now:
        _attempt(start, tournament)
        tournament.refresh_from_db()
    if tournament.state == State.RUNNING and (
        tournament.played_at is None or sealing.freeze_is_due(tournament, now)
    ):
        _play_on(tournament, now)


def _attempt(step: Callable[[Tournament], None], tournament: Tournament) -> None:
    """Take a step, unless another process took it a moment ago."""
    try:
        step(tournament)
    except Refused:
        return


@atomic_with_retries
def _play_on(tournament: Tournament, now: datetime) -> None:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state != State.RUNNING:
        return
    sealing.freeze_if_due(row, now)
    if row.played_at is not None:
        return
    if not rounds.finish_current(row) or row.paused or rounds.begin_next(row):
        return
    if row.rounds.filter(sealed=True).exists():
        row.played_at = timezone.now()
        row.save(update_fields=["played_at"])
    else:
        ending.finish(row)


def _become(row: Tournament, state: str, user: User | None, what: str) -> None:
    row.state = state
    row.save(update_fields=["state"])
    note(row, user, what)

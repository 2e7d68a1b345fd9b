"""Freezing the board, revealing what is sealed, and ending a seal for good.

The caller or the function itself holds the row of the tournament, so that two that press *Reveal
next* at once reveal one thing. Matches are locked before any is written (invariant 10).
"""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from league.accounts.models import User
from league.database.transactions import atomic_with_retries
from league.errors import Refused
from league.matches import revealing, services as matches
from league.matches.models import Match
from league.matches.statistics import totals
from league.tournaments.models import Round, Tournament
from league.tournaments.queries.rounds import matches_of
from league.tournaments.sealing import queries
from league.tournaments.services.audit import lock_row, note
from league.tournaments.services.ending import finish
from league.tournaments.services.rounds import write_places

State = Tournament.State


def count_ahead(tournament: Tournament) -> totals.Counted | None:
    """Count the matches that the next step reveals; None if it reveals none. This comes before the
    transaction of the reveal: there may be thousands of records, and others would wait.
    """
    step = queries.next_reveal(tournament)
    if step is None or not step.ready:
        return None
    if step.round is not None:
        return revealing.count_ahead(matches_of([step.round]))
    more, total = queries.lines_of_next_step(tournament)
    if tournament.places_shown + more < total:
        return None
    return revealing.count_ahead(matches_of(queries.sealed_rounds(tournament)))


def reveal_next(
    tournament: Tournament,
    user: User | None,
    key: str = "",
    ahead: totals.Counted | None = None,
) -> str:
    """Reveal the next step, or refuse if its games are not over. Return what was revealed.

    With the `key` of a `Reveal` it refuses any other step, so that pressing twice reveals once. Who
    calls it within a transaction has counted `ahead`.
    """
    return _reveal_next(tournament, user, key, ahead or count_ahead(tournament))


@atomic_with_retries
def _reveal_next(
    tournament: Tournament, user: User | None, key: str, ahead: totals.Counted | None
) -> str:
    row = lock_row(tournament, State.RUNNING)
    step = queries.next_reveal(row)
    if step is None:
        raise Refused("L011", reason=f"Nothing in {row} is sealed")
    if key and key != step.key:
        raise Refused("L011", reason="That is revealed already")
    if not step.ready:
        what = "its games are" if step.round else "games are"
        raise Refused(
            "L011",
            reason=f"{step.title.capitalize()} cannot be revealed yet: {what} still being played",
        )
    return _reveal(row, user, step, timezone.now(), ahead)


def reveal_due(tournament: Tournament, now: datetime) -> None:
    """Reveal what the schedule says, and end a seal whose time is over. Does nothing, and asks for
    nothing, if the tournament is no event night.
    """
    if not tournament.event_night or tournament.unsealed_at is not None:
        return
    if because := _end_reason(tournament, now):
        end_seal(tournament, None, because)
    elif tournament.next_reveal_at is not None and tournament.next_reveal_at <= now:
        step = queries.next_reveal(tournament)
        if step is not None and step.ready:
            _reveal_by_schedule(tournament, now, count_ahead(tournament))


@atomic_with_retries
def _reveal_by_schedule(
    tournament: Tournament, now: datetime, ahead: totals.Counted | None
) -> None:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state != State.RUNNING or row.next_reveal_at is None or row.next_reveal_at > now:
        return
    step = queries.next_reveal(row)
    if step is not None and step.ready:
        _reveal(row, None, step, now, ahead)


def _end_reason(tournament: Tournament, now: datetime) -> str | None:
    """Return why the seal ends by itself now; None if it does not."""
    organiser = tournament.organiser
    if organiser is not None and not organiser.is_active:
        return "its organiser has left"
    if organiser is None and tournament.reveal_after_minutes is None:
        return "nobody organises it"
    ends_at = queries.seal_ends_at(tournament)
    return "its time is over" if ends_at is not None and ends_at <= now else None


def end_seal(tournament: Tournament, user: User | None, because: str) -> None:
    """Reveal everything, and seal nothing more of this tournament."""
    ahead = revealing.count_ahead(matches_of(queries.sealed_rounds(tournament)))
    _end_seal(tournament, user, because, ahead)


@atomic_with_retries
def _end_seal(
    tournament: Tournament, user: User | None, because: str, ahead: totals.Counted
) -> None:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state != State.RUNNING or row.unsealed_at is not None:
        return
    row.unsealed_at = timezone.now()
    row.next_reveal_at = None
    row.save(update_fields=["unsealed_at", "next_reveal_at"])
    _unseal(queries.sealed_rounds(row), ahead)
    note(row, user, f"ended the seal: {because}")
    _settle(row)


def freeze_is_due(row: Tournament, now: datetime) -> bool:
    """Return whether the public standings are to stop now. That is so whether all games are over or
    not, because the freeze must not tell.
    """
    minutes = row.freeze_after_minutes
    if minutes is None or row.started_at is None or row.unsealed_at or row.frozen_at:
        return False
    return now >= row.started_at + timedelta(minutes=minutes)


def freeze_if_due(row: Tournament, now: datetime) -> None:
    """Stop the public standings when their time has come: what is not public by then is sealed, and
    so is everything later. The tournament is locked.
    """
    if not freeze_is_due(row, now):
        return
    playing = list(row.rounds.filter(finished_at=None))
    own = matches_of(playing)
    not_public = Q(status__in=[Match.WAITING, Match.RUNNING]) | Q(hidden=True)
    matches.lock_in_order(own.filter(not_public).only("pk"))
    own.filter(not_public).update(hidden=True, sealed=True)
    Round.objects.filter(pk__in=[one.pk for one in playing]).update(sealed=True, frozen=True)
    row.frozen_at = now
    row.save(update_fields=["frozen_at"])
    note(row, None, "froze the board")


def _reveal(
    row: Tournament,
    user: User | None,
    step: queries.Reveal,
    now: datetime,
    ahead: totals.Counted | None,
) -> str:
    if step.round is not None:
        _unseal([step.round], ahead)
        what = f"revealed {step.title}"
    else:
        what = _reveal_places(row, step, ahead)
    row.next_reveal_at = _next_due(row, now)
    row.save(update_fields=["next_reveal_at"])
    note(row, user, what)
    _settle(row)
    return f"{what.capitalize()}."


def _reveal_places(row: Tournament, step: queries.Reveal, ahead: totals.Counted | None) -> str:
    """Show the next lines of the final standings; after the first place, all results."""
    more, total = queries.lines_of_next_step(row)
    row.places_shown += more
    row.save(update_fields=["places_shown"])
    if row.places_shown < total:
        return f"revealed {step.title}"
    _unseal(queries.sealed_rounds(row), ahead)
    return f"revealed {step.title} and all results"


def _next_due(row: Tournament, now: datetime) -> datetime | None:
    """Return when the next reveal is due: so long after this one was, or after now."""
    if row.next_reveal_at is None:
        return None
    gap = timedelta(minutes=row.reveal_every_minutes)
    is_late = now > row.next_reveal_at + gap
    return (now if is_late or now < row.next_reveal_at else row.next_reveal_at) + gap


def _unseal(rows: list[Round], ahead: totals.Counted | None) -> None:
    """Reveal the matches of these rounds."""
    if not rows:
        return
    own = matches_of(rows)
    matches.lock_in_order(own.filter(hidden=True).only("pk"))
    revealing.unseal(own, ahead)
    pks = [row.pk for row in rows]
    Round.objects.filter(pk__in=pks).update(
        sealed=False, frozen=False, revealed_at=timezone.now(), replaced_ids=[]
    )


def _settle(row: Tournament) -> None:
    """Write the places that are public now; make it final if all is played and public."""
    if row.played_at is not None and not row.rounds.filter(sealed=True).exists():
        finish(row)
    else:
        write_places(row)

"""Changing a tournament that is published, as far as that harms nobody who has entered.

The description may change at any time, dates only to later ones and the maximum entries only up.
Format, points and game never change once somebody has entered. Every change is in the log.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import transaction

from league.accounts.models import User
from league.errors import Refused
from league.tournaments.models import Tournament
from league.tournaments.services import quotas
from league.tournaments.services.audit import lock_row, note
from league.tournaments.services.terms import refuse_moments

State = Tournament.State
AMENDABLE = (State.OPEN, State.LOCKED, State.RUNNING)
TITLES = {
    "about": "its description",
    "max_entries": "maximum entries",
    "locks_at": "the end of entry",
    "starts_at": "the start",
}


@transaction.atomic
def amend(
    tournament: Tournament,
    user: User,
    *,
    about: str,
    max_entries: int,
    locks_at: datetime,
    starts_at: datetime,
) -> list[str]:
    """Change what may change, or refuse all of it. Return what was changed, in words."""
    row = lock_row(tournament, *AMENDABLE)
    values = {
        "about": about,
        "max_entries": max_entries,
        "locks_at": locks_at,
        "starts_at": starts_at,
    }
    # Forms have no seconds, so a smaller difference is none.
    fields = [name for name in values if _differs(getattr(row, name), values[name])]
    _refuse_harm(row, {name: values[name] for name in fields})
    changes = [_change(row, name, values[name]) for name in fields]
    for name in fields:
        setattr(row, name, values[name])
    if row.starts_at < row.locks_at:
        raise Refused("L011", status=422, reason="It cannot start before entry closes")
    if "max_entries" in fields:
        row.max_games = quotas.max_games(row.config, row.max_entries)
        quotas.refuse_beyond(row.organiser, row.max_games, besides=row)
    if changes:
        row.save(update_fields=[*fields, "max_games"])
        note(row, user, f"changed {'; '.join(changes)}")
    return changes


def _differs(old: object, new: object) -> bool:
    if isinstance(old, datetime) and isinstance(new, datetime):
        return abs((new - old).total_seconds()) >= 60
    return old != new


def _refuse_harm(row: Tournament, values: dict[str, object]) -> None:
    """Refuse changes that would harm somebody who has entered, or means to."""
    later = {name: value for name, value in values.items() if name != "about"}
    if row.state == State.RUNNING and later:
        raise Refused("L011", reason=f"{row} has started: only its description can change")
    if row.state == State.LOCKED and later.keys() - {"starts_at"}:
        raise Refused("L011", reason="Entry is closed and stays closed")
    for name, value in later.items():
        if value < getattr(row, name):
            reason = f"{TITLES[name].capitalize()} can only become later or larger"
            raise Refused("L011", status=422, reason=reason)
    refuse_moments(values)


def _change(row: Tournament, name: str, value: object) -> str:
    """Return `maximum entries from 32 to 64`."""
    if name == "about":
        return TITLES[name]
    return f"{TITLES[name]} from {_text(row, getattr(row, name))} to {_text(row, value)}"


def _text(row: Tournament, value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(ZoneInfo(row.zone)):%d %b %Y %H:%M %Z}"
    return str(value)

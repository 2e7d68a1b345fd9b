"""The life of a tournament: draft, open, locked, running, final or cancelled.

Every function checks that the state allows it, changes it under the lock of the tournament's row,
and writes a line into its audit log. Time alone moves it on too: `move_on` is called every second
and may be called by two processes at once.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from bots_sdk.rating.skill import Rating
from engine.registry import GAMES
from league.accounts import names
from league.accounts.models import User
from league.errors import Refused
from league.ladder.models import LadderRating
from league.matches.game_options import chosen_options
from league.tournaments.models import DEFAULT_ENTRIES, Action, Cup, Entry, Role, Tournament
from league.tournaments.planning import bounds
from league.tournaments.planning.config import BadConfig
from league.tournaments.planning.formats import SERIES, dump, load
from league.tournaments.planning.plan import letters
from league.tournaments.services import quotas, rounds
from league.tournaments.wording import count

State = Tournament.State
RESERVED = frozenset({"new", "cost", "feed"})


@transaction.atomic
def create(
    organiser: User | None, name: str, game: str, config: dict[str, Any], **facts: Any
) -> Tournament:
    """A draft. `facts` are further fields of the tournament."""
    if game not in GAMES:
        raise Refused("L011", status=422, reason=f"There is no game `{game}`")
    refuse_rating(organiser, rated=bool(facts.get("rated")))
    refuse_moments(facts)
    settled = complete_config(game, config)
    facts["options"] = chosen_options(game, settled["seats"], facts.get("options") or {}, "L011")
    facts["max_games"] = quotas.max_games(settled, facts.get("max_entries", DEFAULT_ENTRIES))
    quotas.refuse_beyond(organiser, facts["max_games"])
    slug = free_slug(name, Tournament)
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                organiser=organiser,
                name=name.strip()[:80],
                slug=slug,
                game=game,
                config=settled,
                master_seed=secrets.token_hex(32),
                **facts,
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
    **facts: Any,
) -> Tournament:
    """Settle otherwise what nobody has entered yet. Its address stays."""
    row = _locked(tournament, State.DRAFT, State.OPEN)
    if row.entries.filter(status=Entry.Status.PLAYING).exists():
        raise Refused("L011", reason=f"Bots have entered {row}: its format stays")
    refuse_closed(facts.get("locks_at", row.locks_at))
    refuse_title(name)
    refuse_rating(user, rated=bool(facts.get("rated")))
    refuse_moments(facts)
    settled = complete_config(game, config)
    options = chosen_options(game, settled["seats"], facts.get("options") or {}, "L011")
    facts["max_games"] = quotas.max_games(settled, facts.get("max_entries", row.max_entries))
    quotas.refuse_beyond(row.organiser, facts["max_games"], besides=row)
    facts |= {"name": name.strip()[:80], "game": game, "config": settled, "options": options}
    for field, value in facts.items():
        setattr(row, field, value)
    row.save(update_fields=list(facts))
    note(row, user, "changed the draft" if row.state == State.DRAFT else "changed its terms")
    return row


def refuse_rating(organiser: User | None, *, rated: bool) -> None:
    """Not everybody may let tournaments count for ratings; the league itself may."""
    if rated and organiser is not None and not may_rate(organiser):
        raise Refused("L007", status=403, reason="A rated tournament needs the organiser role")


def refuse_moments(facts: Mapping[str, Any]) -> None:
    """Refuse dates that are too far away for a calendar to count with."""
    for name in ("starts_at", "locks_at", "looked_at"):
        moment = facts.get(name)
        if moment and (problem := bounds.moment_problem(moment, timezone.now())):
            raise Refused("L011", status=422, reason=problem.rstrip("."))


def refuse_closed(locks_at: datetime) -> None:
    """Refuse a tournament whose entry would be closed already."""
    if bounds.has_passed(locks_at, timezone.now()):
        raise Refused("L011", status=422, reason="Entry cannot end in the past")


def complete_config(game: str, config: dict[str, Any]) -> dict[str, Any]:
    """The config as it is stored, with a seed; refused if this game cannot be played so."""
    if config.get("format") == SERIES.slug:
        config = {**config, "game": game}
    try:
        _, chosen = load({"seed": secrets.token_hex(8), **config})
        if problems := bounds.config_problems(chosen):
            raise BadConfig(problems)
    except BadConfig as bad:
        raise Refused("L011", status=422, reason=str(bad).rstrip(".")) from None
    if chosen.seats not in GAMES[game].seats:
        possible = ", ".join(map(str, GAMES[game].seats))
        raise Refused("L011", status=422, reason=f"{GAMES[game].name} has tables of {possible}")
    return dump(chosen)


def refuse_title(name: str) -> None:
    """Refuse a title that would be shown otherwise than it was written."""
    if reason := names.invisible_reason(name):
        raise Refused("L002", status=422, reason=reason)


def free_slug(name: str, among: type[Tournament] | type[Cup]) -> str:
    """How a new one is called in addresses."""
    refuse_title(name)
    slug = slugify(name)[:50]
    if len(slug) < 3 or slug in RESERVED:
        raise Refused("L002", status=422, reason=f"`{name[:40]}` is not a name for a tournament")
    taken = set(among.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    if slug not in taken:
        return slug
    return next(free for n in range(2, len(taken) + 3) if (free := f"{slug}-{n}") not in taken)


def may_rate(user: User) -> bool:
    """Who may create tournaments that count for ratings."""
    return user.is_staff or user.is_organiser


def may_manage(tournament: Tournament, user: object) -> bool:
    """Its organisers, and staff."""
    if not isinstance(user, User):
        return False
    return (
        user.is_staff
        or tournament.organiser_id == user.pk
        or tournament.roles.filter(user=user, kind=Role.Kind.ORGANISER).exists()
    )


def may_referee(tournament: Tournament, user: object) -> bool:
    """Organisers and referees."""
    if may_manage(tournament, user):
        return True
    return isinstance(user, User) and tournament.roles.filter(user=user).exists()


def may_run(cup: Cup, user: object) -> bool:
    """Who may stop a cup and let it go on."""
    return isinstance(user, User) and (user.is_staff or cup.organiser_id == user.pk)


def note(tournament: Tournament, user: User | None, what: str) -> None:
    """A line of the audit log."""
    Action.objects.create(tournament=tournament, user=user, what=what[:300])


def _locked(tournament: Tournament, *states: str) -> Tournament:
    """The row as it is now, locked; refused unless it is in one of these states."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state not in states:
        raise Refused("L011", reason=f"{row} is {row.state}")
    return row


@transaction.atomic
def publish(tournament: Tournament, user: User | None) -> None:
    """Open it for entries."""
    row = _locked(tournament, State.DRAFT)
    if row.starts_at < row.locks_at:
        raise Refused("L011", status=422, reason="It cannot start before entry closes")
    if user is not None:
        refuse_closed(row.locks_at)
    row.published_at = timezone.now()
    row.save(update_fields=["published_at"])
    _become(row, State.OPEN, user, "published it: entry is open")


@transaction.atomic
def lock(tournament: Tournament, user: User | None = None) -> None:
    """Close entry and freeze the seeding: by cautious rating, then by who came first."""
    row = _locked(tournament, State.OPEN)
    row.locks_at = min(row.locks_at, timezone.now())
    row.save(update_fields=["locks_at"])
    strengths = {
        rating.version_id: Rating(rating.mu, rating.sigma).cautious
        for rating in LadderRating.objects.filter(
            ladder=row.game, version__bot__tournament_entries__tournament=row
        )
    }
    entries = list(row.entries.filter(status=Entry.Status.PLAYING).select_related("bot"))
    for entry in entries:
        entry.rating = strengths.get(entry.bot.active_id) if entry.bot.active_id else None
    entries.sort(key=lambda e: (e.rating is None, -(e.rating or 0), e.entered_at, e.pk))
    for rank, entry in enumerate(entries, start=1):
        entry.rank = rank
    Entry.objects.bulk_update(entries, ["rating", "rank"])
    _become(row, State.LOCKED, user, f"closed entry with {count(len(entries), 'bot')}")


@transaction.atomic
def start(tournament: Tournament, user: User | None = None) -> None:
    """Freeze the versions and begin with the first round; cancel what cannot be played."""
    row = _locked(tournament, State.LOCKED)
    _, config = load(row.config)
    ready = rounds.take_versions(row)
    if reason := config.refusal_reason(ready):
        _cancel(row, user, reason)
        return
    row.started_at = timezone.now()
    row.max_games = quotas.max_games(row.config, ready)
    row.save(update_fields=["started_at", "max_games"])
    _become(row, State.RUNNING, user, f"started it with {count(ready, 'bot')}")
    rounds.begin_next(row)


@transaction.atomic
def cancel(tournament: Tournament, user: User | None, because: str) -> None:
    """Nothing of it counts; matches that wait are given up."""
    row = _locked(tournament, State.DRAFT, State.OPEN, State.LOCKED, State.RUNNING)
    _cancel(row, user, because)


def _cancel(row: Tournament, user: User | None, because: str) -> None:
    row.cancelled_because = because[:200]
    row.finished_at = timezone.now()
    row.save(update_fields=["cancelled_because", "finished_at"])
    rounds.give_up_waiting(row, "its tournament was cancelled")
    _become(row, State.CANCELLED, user, f"cancelled it: {because}")


@transaction.atomic
def pause(tournament: Tournament, user: User, paused: bool) -> None:
    """Let no further round begin, or go on."""
    row = _locked(tournament, State.RUNNING)
    row.paused = paused
    row.save(update_fields=["paused"])
    note(row, user, "pauses it after this round" if paused else "goes on with it")


@transaction.atomic
def disqualify(tournament: Tournament, user: User, bot_slug: str, because: str) -> None:
    """Take a bot out, also one that left before. What it played stays; it gets no place."""
    row = _locked(tournament, State.OPEN, State.LOCKED, State.RUNNING)
    found = (
        row.entries.filter(bot__slug=bot_slug)
        .exclude(status=Entry.Status.DISQUALIFIED)
        .update(status=Entry.Status.DISQUALIFIED)
    )
    if not found:
        raise Refused("L011", status=404, reason=f"`{bot_slug}` does not play in {row}")
    note(row, user, f"disqualified {bot_slug}: {because}")


@transaction.atomic
def rerun_table(tournament: Tournament, user: User, number: int, table: int, because: str) -> int:
    """Void all matches of a table of the latest round, and play them again."""
    row = _locked(tournament, State.RUNNING)
    made = rounds.rerun(row, number, table)
    quotas.book_more(row, made)
    what = f"re-ran pod {letters(table)} of round {number}, {count(made, 'game')}"
    note(row, user, f"{what}: {because}")
    return made


@transaction.atomic
def void_table(tournament: Tournament, user: User, number: int, table: int, because: str) -> int:
    """Void all matches of a table of the latest round, for good."""
    row = _locked(tournament, State.RUNNING)
    gone = rounds.void(row, number, table)
    what = f"voided pod {letters(table)} of round {number}, {count(gone, 'game')}"
    note(row, user, f"{what}: {because}")
    return gone


@transaction.atomic
def appoint(tournament: Tournament, user: User, helper: User, kind: str) -> None:
    """Give somebody a role."""
    Role.objects.update_or_create(tournament=tournament, user=helper, defaults={"kind": kind})
    note(tournament, user, f"made {helper.username} {kind}")


@transaction.atomic
def dismiss(tournament: Tournament, user: User, helper: User) -> None:
    """Take somebody's role away."""
    if tournament.roles.filter(user=helper).delete()[0]:
        note(tournament, user, f"took the role of {helper.username} away")


def move_on(tournament: Tournament, now: datetime) -> None:
    """What time or finished matches make happen. Harmless to call at any moment."""
    if tournament.state == State.OPEN and tournament.locks_at <= now:
        _attempt(lock, tournament)
        tournament.refresh_from_db()
    if tournament.state == State.LOCKED and tournament.starts_at <= now:
        _attempt(start, tournament)
        tournament.refresh_from_db()
    if tournament.state == State.RUNNING:
        _play_on(tournament)


def _attempt(step: Any, tournament: Tournament) -> None:
    """Another process may have done it a moment ago."""
    try:
        step(tournament)
    except Refused:
        return


@transaction.atomic
def _play_on(tournament: Tournament) -> None:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state != State.RUNNING or not rounds.finish_current(row):
        return
    if row.paused:
        return
    if rounds.begin_next(row):
        return
    rounds.write_places(row)
    row.finished_at = timezone.now()
    row.save(update_fields=["finished_at"])
    _become(row, State.FINAL, None, "it is final")


def _become(row: Tournament, state: str, user: User | None, what: str) -> None:
    row.state = state
    row.save(update_fields=["state"])
    note(row, user, what)

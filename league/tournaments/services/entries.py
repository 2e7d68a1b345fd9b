"""Entering and leaving a tournament, and who may."""

from django.db import IntegrityError, transaction

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.ladder import queries
from league.tournaments import wording
from league.tournaments.models import Entry, Tournament
from league.tournaments.services.audit import note
from league.tournaments.services.ending import restart_places


@transaction.atomic
def enter(tournament: Tournament, bot: Bot, user: User | None, invite: str = "") -> Entry:
    """Put a bot into a tournament that is open."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if reason := refusal_reason(row, bot, invite):
        raise Refused("L011", reason=reason)
    former = row.entries.filter(bot=bot, status=Entry.Status.WITHDRAWN).first()
    if former:
        former.status = Entry.Status.PLAYING
        former.save(update_fields=["status"])
        note(row, user, f"entered {bot} again")
        return former
    try:
        with transaction.atomic():
            entry = row.entries.create(bot=bot)
    except IntegrityError:
        raise Refused("L011", reason=f"{bot} is in {row} already") from None
    note(row, user, f"entered {bot}")
    _enter_following(row, bot)
    return entry


def _enter_following(row: Tournament, bot: Bot) -> None:
    """Enter a bot in the next date as well, if that is open already and entries carry over."""
    if row.recurring is None or not row.recurring.carries_over:
        return
    later = row.recurring.occurrences.filter(
        state=Tournament.State.OPEN, planned_at__gt=row.planned_at
    ).order_by("planned_at")
    following = later.first()
    if following is None or following.entries.filter(bot=bot).exists():
        return
    try:
        with transaction.atomic():
            enter(following, bot, None, following.invite_code)
    except Refused:
        # It is full, or not for this bot: the bot only plays where it was entered.
        return


def refusal_reason(tournament: Tournament, bot: Bot, invite: str = "") -> str | None:
    """Return why this bot cannot enter now, as a sentence without its dot; None if it can."""
    former = tournament.entries.filter(bot=bot).first()
    if former and former.status == Entry.Status.PLAYING:
        return f"{bot} is in {tournament} already"
    if former and former.status == Entry.Status.DISQUALIFIED:
        return f"{bot} was disqualified"
    if reason := closed_reason(tournament, bot.owner):
        return reason
    if tournament.invite_code and invite != tournament.invite_code:
        return "This tournament is by invitation: enter its code"
    if bot.active is None or tournament.game not in bot.active.games:
        return f"{bot} has no active version that plays {GAMES[tournament.game].name}"
    return _rank_reason(tournament, bot)


def closed_reason(tournament: Tournament, owner: User | None) -> str | None:
    """Return why no further bot of this owner can enter; None if one could."""
    if tournament.state != Tournament.State.OPEN:
        return f"Entry to {tournament} is not open"
    playing = tournament.entries.filter(status=Entry.Status.PLAYING)
    if playing.count() >= tournament.max_entries:
        return f"{tournament} is full: {tournament.max_entries} bots have entered"
    if owner is not None and playing.filter(bot__owner=owner).count() >= tournament.per_user:
        limit = wording.count(tournament.per_user, "bot")
        return f"Everybody may enter {limit}, and you have"
    return None


def _rank_reason(tournament: Tournament, bot: Bot) -> str | None:
    if not (tournament.no_provisional or tournament.best_of_ladder):
        return None
    standing = next((one for one in queries.standings(bot) if one.game == tournament.game), None)
    if standing is None or standing.rank is None:
        return f"{bot} has no rank on the ladder of {GAMES[tournament.game].name} yet"
    if tournament.best_of_ladder and standing.rank > tournament.best_of_ladder:
        max_rank = tournament.best_of_ladder
        return f"Only the top {max_rank} of the ladder may enter, and {bot} is at {standing.rank}"
    return None


@transaction.atomic
def withdraw(tournament: Tournament, bot: Bot, user: User | None) -> None:
    """Withdraw a bot: while entry is open without a trace; later it plays no further round and is
    ranked below everybody who stays.
    """
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.over:
        raise Refused("L011", reason=f"{row} is over")
    if row.played_at is not None and user is not None and user.pk == bot.owner_id:
        # Only its owner is asked to stay: staff may have to take it out.
        raise Refused("L011", reason=f"All games of {row} are played, so {bot} stays in it")
    entries = row.entries.filter(bot=bot, status=Entry.Status.PLAYING)
    if not entries.update(status=Entry.Status.WITHDRAWN):
        raise Refused("L011", status=404, reason=f"{bot} does not play in {row}")
    restart_places(row)
    note(row, user, f"withdrew {bot}")

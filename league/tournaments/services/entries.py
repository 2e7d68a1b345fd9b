"""Entering and leaving a tournament, and who may."""

from django.db import IntegrityError, transaction

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.ladder import queries
from league.tournaments import wording
from league.tournaments.models import Entry, Tournament
from league.tournaments.services.lifecycle import note


@transaction.atomic
def enter(tournament: Tournament, bot: Bot, user: User | None, invite: str = "") -> Entry:
    """Put a bot into a tournament that is open."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if reason := refusal_reason(row, bot, invite):
        raise Refused("L011", reason=reason)
    back = row.entries.filter(bot=bot, status=Entry.Status.WITHDRAWN).first()
    if back:
        back.status = Entry.Status.PLAYING
        back.save(update_fields=["status"])
        note(row, user, f"entered {bot} again")
        return back
    try:
        with transaction.atomic():
            entry = row.entries.create(bot=bot)
    except IntegrityError:
        raise Refused("L011", reason=f"{bot} is in {row} already") from None
    note(row, user, f"entered {bot}")
    _carry_on(row, bot)
    return entry


def _carry_on(row: Tournament, bot: Bot) -> None:
    """Enter the next tournament of a cup, too, if that is open already and the cup carries over."""
    if row.cup is None or not row.cup.carries_over:
        return
    later = row.cup.occurrences.filter(
        state=Tournament.State.OPEN, planned_at__gt=row.planned_at
    ).order_by("planned_at")
    following = later.first()
    if following is None or following.entries.filter(bot=bot).exists():
        return
    try:
        with transaction.atomic():
            enter(following, bot, None, following.invite_code)
    except Refused:
        # Full, or not for this bot: it plays in the one it was entered for.
        return


def refusal_reason(tournament: Tournament, bot: Bot, invite: str = "") -> str | None:
    """Why this bot cannot enter now, as a sentence; None if it can."""
    before = tournament.entries.filter(bot=bot).first()
    if before and before.status == Entry.Status.PLAYING:
        return f"{bot} is in {tournament} already"
    if before and before.status == Entry.Status.DISQUALIFIED:
        return f"{bot} was disqualified"
    if reason := why_nobody(tournament, bot.owner):
        return reason
    if tournament.invite_code and invite != tournament.invite_code:
        return "This tournament is by invitation: give its code"
    if bot.active is None or tournament.game not in bot.active.games:
        return f"{bot} has no active version that plays {GAMES[tournament.game].name}"
    return _not_good_enough(tournament, bot)


def why_nobody(tournament: Tournament, owner: User | None) -> str | None:
    """Why no further bot of this owner can enter, whichever it is; None if one could."""
    if tournament.state != Tournament.State.OPEN:
        return f"Entry to {tournament} is not open"
    playing = tournament.entries.filter(status=Entry.Status.PLAYING)
    if playing.count() >= tournament.max_entries:
        return f"{tournament} is full: {tournament.max_entries} bots have entered"
    if owner is not None and playing.filter(bot__owner=owner).count() >= tournament.per_user:
        return f"Everybody may enter {wording.count(tournament.per_user, 'bot')}, and you have"
    return None


def _not_good_enough(tournament: Tournament, bot: Bot) -> str | None:
    if not (tournament.no_provisional or tournament.best_of_ladder):
        return None
    standing = next((one for one in queries.standings(bot) if one.game == tournament.game), None)
    if standing is None or standing.rank is None:
        return f"{bot} has no rank on the ladder of {GAMES[tournament.game].name} yet"
    if tournament.best_of_ladder and standing.rank > tournament.best_of_ladder:
        most = tournament.best_of_ladder
        return f"Only the best {most} of the ladder may enter, and {bot} is number {standing.rank}"
    return None


@transaction.atomic
def withdraw(tournament: Tournament, bot: Bot, user: User | None) -> None:
    """Take one's own bot out: while entry is open it never was there; later it plays no new round
    and stands behind everybody who stays.
    """
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.over:
        raise Refused("L011", reason=f"{row} is over")
    left = row.entries.filter(bot=bot, status=Entry.Status.PLAYING).update(
        status=Entry.Status.WITHDRAWN
    )
    if not left:
        raise Refused("L011", status=404, reason=f"{bot} does not play in {row}")
    note(row, user, f"withdrew {bot}")

"""Which of a user's bots may enter a tournament."""

from league.accounts.models import User
from league.bots.models import Bot
from league.tournaments.models import Entry, Tournament
from league.tournaments.services import entries


def enterable(tournament: Tournament, user: object) -> list[Bot]:
    """Return the bots that a user may still enter."""
    if not isinstance(user, User) or entries.closed_reason(tournament, user):
        return []
    entered = tournament.entries.exclude(status=Entry.Status.WITHDRAWN).values("bot")
    return list(user.bots.playing(tournament.game).exclude(pk__in=entered).order_by("name"))


def no_entry_reason(tournament: Tournament, user: User) -> str:
    """Return why a user has no bot to enter, as a sentence."""
    if not user.bots.exists():
        return "You have no bot yet."
    if reason := entries.closed_reason(tournament, user):
        return f"{reason}."
    entered = tournament.entries.filter(status=Entry.Status.PLAYING).values("bot")
    bots = user.bots.select_related("active").exclude(pk__in=entered)
    reasons = (entries.refusal_reason(tournament, bot, tournament.invite_code) for bot in bots[:1])
    return next((f"{reason}." for reason in reasons if reason), "All your bots have entered.")

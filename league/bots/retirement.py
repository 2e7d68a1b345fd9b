"""What an owner can do with a whole bot: rename, retire and bring it back, and delete it.

A retired bot has no active version, so that ladders, challenges and tournaments find nothing to
play. Matches that are queued already are played.
"""

from datetime import timedelta

from django.db import IntegrityError
from django.db.models import ProtectedError
from django.utils import timezone

from league.bots import services
from league.bots.bundles import sources, stepwise
from league.bots.models import Bot, BotVersion
from league.database.transactions import atomic_with_retries
from league.errors import Refused

NAME_STAYS = timedelta(days=7)
"""At least, so that people recognise a bot."""


@atomic_with_retries
def rename(bot: Bot, name: str) -> Bot:
    """Give a bot another name; its address stays. Pages and records show only the new name."""
    bot = _lock(bot)
    if name == bot.name:
        return bot
    if bot.renamed_at and (free_at := bot.renamed_at + NAME_STAYS) > timezone.now():
        reason = f"{bot} was renamed less than {NAME_STAYS.days} days ago"
        raise Refused("L014", reason=reason, fix=f"Rename it after {free_at:%Y-%m-%d %H:%M} UTC")
    new_name, _ = services.resolve_name(name, bot.owner, bot)
    bot.name, bot.renamed_at = new_name, timezone.now()
    try:
        bot.save(update_fields=["name", "renamed_at"])
    except IntegrityError:
        raise Refused("L002", reason=f"There is a bot `{new_name}` already") from None
    return bot


@atomic_with_retries
def retire(bot: Bot) -> Bot:
    """Take a bot out of play. Its matches and ratings stay."""
    bot = _lock(bot)
    if bot.retired_at is None:
        bot.retired_at, bot.active = timezone.now(), None
        bot.save(update_fields=["retired_at", "active"])
    return bot


@atomic_with_retries
def bring_back(bot: Bot) -> Bot:
    """Let a retired bot play again, with the version that was active last."""
    bot = _lock(bot)
    if bot.retired_at is not None:
        bot.retired_at = None
        bot.save(update_fields=["retired_at"])
        services.fall_back(bot)
    return bot


def may_delete(bot: Bot) -> bool:
    """Return whether it never played: results of others depend on a bot that did. A version that
    plays in a tournament counts from the start, whether it has been seated yet or not.
    """
    plays = bot.seats.exists() or bot.tournament_entries.exclude(version=None).exists()
    return bot.hidden_at is None and not plays


def delete(bot: Bot) -> None:
    """Delete a bot that never played, with its versions, their smoke matches and its code."""
    try:
        _delete(bot)
    except (ProtectedError, IntegrityError):
        # It sits at a table, perhaps since a moment ago, or a tournament froze its version.
        fix = "Results of others depend on it, so it can only be retired"
        raise Refused("L014", reason=f"{bot} has played", fix=fix) from None


@atomic_with_retries
def _delete(bot: Bot) -> None:
    stepwise.cancel_all(bot)
    # Unlike elsewhere with its key, and first: a match that is made for it now waits here.
    bot = _lock(bot, with_key=True)
    # A worker that would claim a check now waits, and finds nothing to claim.
    versions = list(bot.versions.select_for_update(no_key=True).order_by("pk"))
    if any(version.status == BotVersion.Status.CHECKING for version in versions):
        fix = "Delete it when the check is over"
        raise Refused("L014", reason=f"A version of {bot} is being checked", fix=fix)
    digests = {version.source_id for version in versions}
    bot.delete()
    sources.drop(digests)


def _lock(bot: Bot, *, with_key: bool = False) -> Bot:
    """Lock the bot until the end of the transaction. Its owner decides about it, unless staff
    hid it.
    """
    bot = Bot.objects.select_for_update(no_key=not with_key).get(pk=bot.pk)
    if bot.hidden_at is not None:
        raise Refused("L013")
    return bot

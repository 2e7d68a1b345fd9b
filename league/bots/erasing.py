"""Removing code: the row of a version stays, because numbers and results refer to it."""

from hashlib import sha256

from django.utils import timezone

from league.bots.bundles import sources
from league.bots.models import DELETED, Bot, BotVersion, Source
from league.database.transactions import atomic_with_retries
from league.errors import Refused


def empty_source() -> Source:
    """Return the code of versions that have none any more."""
    empty, _ = Source.objects.get_or_create(digest=sha256(b"").hexdigest(), defaults={"text": ""})
    return empty


@atomic_with_retries
def erase_version(version: BotVersion) -> None:
    """Remove the code of a version that does not play now, with its files and its check. Its
    number, its matches and its ratings stay: none of them needs the code.
    """
    bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
    version = bot.versions.select_for_update(no_key=True).get(pk=version.pk)
    if version.suspended_because == DELETED:
        return
    if version.suspended_at is not None or bot.hidden_at is not None:
        # Otherwise suspended code could be uploaded again.
        raise Refused("L013")
    if obstacle := _obstacle(bot, version):
        reason, fix = obstacle
        raise Refused("L014", reason=f"v{version.number} {reason}", fix=fix)
    digest = version.source_id
    version.source = empty_source()
    if version.status != BotVersion.Status.ACCEPTED:
        version.status = BotVersion.Status.REJECTED
    version.suspended_at, version.suspended_because = timezone.now(), DELETED
    version.source_public = version.data_public = False
    version.steps, version.note = [], ""
    version.save()
    version.smoke_matches.all().delete()
    sources.drop([digest])


def _obstacle(bot: Bot, version: BotVersion) -> tuple[str, str] | None:
    """Return why the code is still needed, and what to do."""
    if bot.active_id == version.pk:
        return "is the active version", "Activate another version first, or retire the bot"
    if version.status == BotVersion.Status.CHECKING:
        return "is being checked", "Delete it when the check is over"
    # First, because matches that are still to be played would tell how far an event is.
    unfinished = version.tournament_entries.exclude(tournament__state__in=("final", "cancelled"))
    if unfinished.exists():
        return "plays in a tournament", "Delete it when the tournament is over"
    if version.seats.filter(match__status__in=("queued", "running")).exists():
        return "has matches to play", "Delete it when they are over"
    return None

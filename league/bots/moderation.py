"""What staff can do to bots and versions: suspend, rename, hide, erase.

`league.moderation`, which stands above, takes care of waiting matches and tournaments.
"""

from itertools import count

from django.db.models import Q
from django.utils import timezone

from league.bots import services
from league.bots.bundles import sources, stepwise
from league.bots.erasing import empty_source
from league.bots.models import ERASED, Bot, BotVersion, SmokeMatch
from league.database.transactions import atomic_with_retries


@atomic_with_retries
def suspend(version: BotVersion, because: str) -> None:
    """Suspend a version until staff lift it; the last good one plays instead, if there is one."""
    bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
    BotVersion.objects.filter(pk=version.pk).update(
        suspended_at=timezone.now(), suspended_because=because[:300]
    )
    if bot.active_id == version.pk:
        services.fall_back(bot)


@atomic_with_retries
def lift(version: BotVersion) -> None:
    """Let a suspended version be chosen again. It plays at once if nothing else does."""
    bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
    BotVersion.objects.filter(pk=version.pk).update(suspended_at=None, suspended_because="")
    if bot.active_id is None:
        services.fall_back(bot)


@atomic_with_retries
def rename(bot: Bot, name: str) -> Bot:
    """Give a bot another name and address. Pages and records show only the new one."""
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    bot.name, bot.slug = services.resolve_name(name, bot.owner, bot)
    bot.renamed_at = timezone.now()
    bot.save(update_fields=["name", "slug", "renamed_at"])
    return bot


@atomic_with_retries
def hide(bot: Bot) -> Bot:
    """Take a bot out of all lists, and give it a neutral name."""
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    (bot.name, bot.slug), bot.about = _neutral_name(bot), ""
    bot.renamed_at = bot.hidden_at = timezone.now()
    bot.active = None
    bot.save(update_fields=["name", "slug", "about", "renamed_at", "hidden_at", "active"])
    return bot


def _neutral_name(bot: Bot) -> tuple[str, str]:
    """Return a free neutral name and its slug."""
    others = Bot.objects.exclude(pk=bot.pk)
    for number in count(1):
        name = f"Hidden bot {bot.pk}" if number == 1 else f"Hidden bot {bot.pk}-{number}"
        slug = name.lower().replace(" ", "-")
        if not others.filter(Q(slug=slug) | Q(name__iexact=name)).exists():
            break
    return name, slug


@atomic_with_retries
def show(bot: Bot) -> None:
    """Undo `hide`. The bot keeps its neutral name until staff give it another."""
    Bot.objects.filter(pk=bot.pk).update(hidden_at=None)
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    if bot.active_id is None:
        services.fall_back(bot)


@atomic_with_retries
def erase(bot: Bot) -> None:
    """Remove the code of a bot and whatever quotes it. Its results stay, and it plays no more."""
    stepwise.cancel_all(bot)
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    empty = empty_source()
    digests = set(bot.versions.values_list("source", flat=True)) - {empty.pk}
    SmokeMatch.objects.filter(version__bot=bot).delete()
    bot.versions.filter(suspended_at=None).update(suspended_at=timezone.now())
    # A worker that checks one now must not store quotes of the code again.
    unfinished = [BotVersion.Status.WAITING, BotVersion.Status.CHECKING, BotVersion.Status.STUCK]
    bot.versions.filter(status__in=unfinished).update(
        status=BotVersion.Status.REJECTED, lease=None, lease_until=None
    )
    # This includes versions that were suspended for another reason: nothing is left to play.
    bot.versions.update(
        suspended_because=ERASED,
        source=empty,
        source_public=False,
        data_public=False,
        steps=[],
        note="",
    )
    sources.drop(digests)
    bot.about, bot.active = "", None
    bot.save(update_fields=["about", "active"])

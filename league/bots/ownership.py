"""Finding a bot of the caller, for endpoints that change one."""

from django.shortcuts import get_object_or_404

from league.accounts.auth import Caller
from league.bots.models import Bot
from league.errors import Refused


def own_bot(caller: Caller, slug: str) -> Bot:
    """Return a bot of the caller. Public bots of others are refused with 403: they are no secret.
    All others are not there.
    """
    bots = Bot.objects.select_related("active").prefetch_related("active__plays")
    bot = get_object_or_404(bots, slug=slug)
    if caller.is_user(bot.owner_id):
        return bot
    if not Bot.objects.public().filter(pk=bot.pk).exists():
        raise Refused("L010", status=404)
    raise Refused("L007", status=403, reason=f"`{slug}` is not your bot")

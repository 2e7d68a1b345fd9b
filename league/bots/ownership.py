"""What a caller of the API may see, read and change of bots."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from league.accounts.auth import Caller, require
from league.accounts.models import Token
from league.bots import services
from league.bots.models import Bot, BotVersion
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


def visible_to(caller: Caller) -> QuerySet[Bot]:
    """Return the bots that the caller may see, with own ones that staff hid."""
    visible = Bot.objects.visible_to(caller.user)
    own = Bot.objects.filter(owner=caller.user, owner__isnull=False)
    return Bot.objects.filter(Q(pk__in=visible.values("pk")) | Q(pk__in=own.values("pk")))


def refuse_unreadable(caller: Caller, version: BotVersion) -> None:
    """Refuse a caller who may not read the code of a version."""
    if not services.may_read_source(version, None):
        if not caller.is_user(version.bot.owner_id):
            raise Refused("L010", status=404)
        require(caller, Token.Scope.READ)

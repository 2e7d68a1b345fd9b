"""Asking for several matches at once, so that two bots meet."""

from random import SystemRandom

from django.db import transaction

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.matches import queries, services
from league.matches.models import Match

AT_ONCE = 10


@transaction.atomic
def meet(user: User, game: str, one: Bot, other: Bot) -> list[Match]:
    """Let two bots meet as often as the quota of the user allows, at most so many times.

    Where a game needs more seats, house bots take them. The two swap seats with every match.
    """
    if game not in GAMES:
        raise Refused("L004", status=422, reason=f"There is no game `{game[:40]}`")
    guests = min(GAMES[game].seats) - 2
    house = Bot.objects.playing(game).filter(owner=None).exclude(pk__in=[one.pk, other.pk])
    slugs = list(house.values_list("slug", flat=True))
    if len(slugs) < guests:
        raise Refused("L004", status=422, reason="There are not enough house bots for the table")
    count = max(1, min(AT_ONCE, queries.challenges_left(user)))
    chance = SystemRandom()
    made = []
    for number in range(count):
        table = [one.slug, other.slug, *chance.sample(slugs, guests)]
        turn = number % len(table)
        made.append(services.challenge(user, game, [*table[turn:], *table[:turn]]))
    return made

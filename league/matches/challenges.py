"""Challenges in a row, so that two bots meet."""

from random import SystemRandom

from django.db import transaction

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.matches import queries, services
from league.matches.models import Match

MAX_MATCHES = 10


@transaction.atomic
def meet(user: User, game: str, one: Bot, other: Bot) -> list[Match]:
    """Queue as many matches of two bots as the quota of the user allows, up to `MAX_MATCHES`.

    Where a game needs more seats, house bots take them. The two swap seats with every match.
    """
    if game not in GAMES:
        raise Refused("L004", status=422, reason=f"There is no game `{game[:40]}`")
    guests = min(GAMES[game].seats) - 2
    house = Bot.objects.playing(game).filter(owner=None).exclude(pk__in=[one.pk, other.pk])
    slugs = list(house.values_list("slug", flat=True))
    if len(slugs) < guests:
        raise Refused("L004", status=422, reason="There are not enough house bots for the table")
    count = max(1, min(MAX_MATCHES, queries.challenges_left(user)))
    rng = SystemRandom()
    matches = []
    for number in range(count):
        table = [one.slug, other.slug, *rng.sample(slugs, guests)]
        turn = number % len(table)
        matches.append(services.challenge(user, game, [*table[turn:], *table[:turn]]))
    return matches

"""A league to look at, made in this process: some weeks of matches between a few bots."""

from datetime import timedelta
from itertools import combinations, cycle

from django.utils import timezone

from engine.registry import GAMES
from league.bots import services as bots
from league.bots.models import Bot, BotVersion
from league.ladder.models import RatingChange, RatingDay
from league.matches.models import Match, Seat
from league.workers.models import Worker
from tests.league.factories import make_match, make_player, make_user, make_version, rate_all

AUTHORS = {"mira": ["Sapphire Shark", "Tin Cup"], "tom": ["BarterBot"], "ada": ["Owl 9"]}
HOUSE = ["Anton", "Ottilie", "Zita"]


def fill(rounds=4):
    """Matches of all games; `mira` is staff. Gives the latest match."""
    players = [make_player(None, name) for name in HOUSE]
    for author, names in AUTHORS.items():
        owner = make_user(author, is_staff=author == "mira")
        players += [make_player(owner, name) for name in names]
    tables = [[(table, game) for table in _tables(players, game, rounds)] for game in GAMES]
    played = [make_match(*one) for together in zip(*tables, strict=True) for one in together]
    _spread_over(played, days=20)
    for game in GAMES:
        rate_all(game)
    _newcomers()
    Worker.objects.create(
        name="worker-1",
        seen_at=timezone.now(),
        capacity=2,
        sandbox="bubblewrap",
        sandbox_ok=True,
        sandbox_said="all walls held",
    )
    return Match.objects.finished().first()


def _tables(players, game, rounds):
    """Every pairing now and then, with all numbers of seats."""
    sizes = cycle(GAMES[game].seats)
    for _ in range(rounds):
        for pair in combinations(players, 2):
            others = [one for one in players if one not in pair]
            yield [*pair, *others][: max(2, next(sizes))]


def _spread_over(played, days):
    """As if they had been played one after the other over some days."""
    step = timedelta(days=days) / len(played)
    for age, match in enumerate(reversed(played)):
        at = timezone.now() - age * step
        Match.objects.filter(pk=match.pk).update(finished_at=at)
        Seat.objects.filter(match=match).update(finished_at=at)


def _newcomers():
    make_player(make_user("noor"), "Magpie Junior")
    failed = make_version(
        bots.create(make_user("kim"), "First Try"), status=BotVersion.Status.REJECTED
    )
    BotVersion.objects.filter(pk=failed.pk).update(code="E104")


def counts():
    """How much there is."""
    return {
        model.__name__: model.objects.count() for model in (Bot, Match, RatingChange, RatingDay)
    }

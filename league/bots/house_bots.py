"""House bots in the league: opponents from the first minute."""

from hashlib import sha256

from django.db import transaction

from bots_sdk import house
from engine.registry import GAMES
from league.bots import services
from league.bots.models import Bot, BotVersion, Plays, Source
from runners.plugins.discovery import kits


def seed() -> int:
    """Bring all house bots up to date. Return how many versions are new."""
    return sum(_seed_one(game, name) for game in GAMES for name in house.names(game))


def shown_name(game: str, name: str) -> str:
    """Return the name of a house bot, with its game if other games have a bot of that name."""
    plain = name.replace("_", " ").title()
    shared = sum(name in house.names(other) for other in GAMES) > 1
    return f"{plain} {kits()[game].short_name or game}" if shared else plain


@transaction.atomic
def _seed_one(game: str, name: str) -> bool:
    text = house.source(game, name)
    full_name = shown_name(game, name)
    bot = Bot.objects.filter(owner=None, name=full_name).first()
    if bot is None:
        bot = services.create(None, full_name, about=_first_line(text))
    digest = sha256(text.encode()).hexdigest()
    if bot.versions.filter(source=digest).exists():
        return False
    source, _ = Source.objects.get_or_create(digest=digest, defaults={"text": text})
    version = bot.versions.create(
        number=bot.versions.count() + 1,
        source=source,
        source_public=True,
        status=BotVersion.Status.ACCEPTED,
        steps=[{"name": "house", "ok": True, "text": "tested with the league itself", "ms": 0.0}],
    )
    Plays.objects.create(version=version, game=game)
    services.activate(bot, version.number)
    return True


def _first_line(text: str) -> str:
    return text.strip().strip('"').splitlines()[0].strip('" ')[:200]

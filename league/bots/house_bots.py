"""House bots in the league: opponents from the first minute. They are tested with its code."""

from hashlib import sha256

from django.db import transaction

from bots_sdk import house
from engine.registry import GAMES
from league.bots import services
from league.bots.models import Bot, BotVersion, Plays, Source

_SHORT = {"edel-stein-reich": "ESR", "basari": "Basari", "edelsteinsuche": "Suche"}


def seed() -> int:
    """Bring all house bots to their present code. How many versions are new."""
    return sum(_seed_one(game, name) for game in GAMES for name in house.names(game))


def shown_name(game: str, name: str) -> str:
    """`greedy` plays every game with other code, so it carries the game in its name."""
    plain = name.replace("_", " ").title()
    shared = sum(name in house.names(other) for other in GAMES) > 1
    return f"{plain} {_SHORT.get(game, game)}" if shared else plain


@transaction.atomic
def _seed_one(game: str, name: str) -> bool:
    text = house.source(game, name)
    shown = shown_name(game, name)
    bot = Bot.objects.filter(owner=None, name=shown).first()
    if bot is None:
        bot = services.create(None, shown, about=_first_line(text))
    digest = sha256(text.encode()).hexdigest()
    same = bot.versions.filter(source=digest).first()
    if same:
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

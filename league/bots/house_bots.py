"""House bots in the league: opponents from the first minute.

`karat` knows each by the name of its file, which several games may have. In the league a shared
name gets the game behind it, such as `greedy-basari`. Where the game is known, `greedy` does too.
"""

from collections.abc import Sequence
from functools import cache

from django.db import transaction
from django.utils.text import slugify

from bots_sdk import house
from engine.registry import GAMES
from league.bots import services
from league.bots.bundles import contents, sources
from league.bots.models import Bot, BotVersion, Plays
from runners.plugins.discovery import kits


def seed() -> int:
    """Bring all house bots up to date. Return how many versions are new."""
    return sum(_seed_one(game, name) for game in GAMES for name in house.names(game))


def shown_name(game: str, name: str) -> str:
    """Return the name of a house bot, with its game if other games have a bot of that name."""
    plain = name.replace("_", " ").title()
    shared = sum(name in house.names(other) for other in GAMES) > 1
    return f"{plain} {kits()[game].short_name or game}" if shared else plain


@cache
def slugs() -> dict[tuple[str, str], str]:
    """Return the slugs of all house bots by game and by the name that `karat` knows."""
    return {
        (game, name): slugify(shown_name(game, name))
        for game in GAMES
        for name in house.names(game)
    }


def house_name(slug: str) -> str | None:
    """Return what `karat` calls the house bot with this slug; None if there is none."""
    return next((name for (_, name), own in slugs().items() if own == slug), None)


def resolve(game: str, names: Sequence[str]) -> list[str]:
    """Return the slugs of bots at a table of this game. A bot that has such a slug goes first."""
    exact = set(Bot.objects.named(*names).values_list("slug", flat=True))
    return [name if name in exact else slugs().get((game, name), name) for name in names]


def namesakes(name: str) -> list[str]:
    """Return the slugs of all house bots that `karat` calls so."""
    return [slug for (_, own), slug in slugs().items() if own == name]


def _seed_one(game: str, name: str) -> bool:
    content = contents.read(house.bundle(game, name) or house.source(game, name).encode())
    contents.write_ahead(content)
    return _store(game, name, content)


@transaction.atomic
def _store(game: str, name: str, content: contents.Content) -> bool:
    full_name = shown_name(game, name)
    bot = Bot.objects.filter(owner=None, name=full_name).first()
    if bot is None:
        bot = services.create(None, full_name, about=_first_line(content.text))
    if bot.versions.filter(source=content.digest).exists():
        return False
    sources.put_blobs(content)
    version = bot.versions.create(
        number=bot.versions.count() + 1,
        source=sources.store_source(content),
        source_public=True,
        data_public=content.listing is not None,
        status=BotVersion.Status.ACCEPTED,
        steps=[{"name": "house", "ok": True, "text": "tested with the league itself", "ms": 0.0}],
    )
    Plays.objects.create(version=version, game=game)
    services.activate(bot, version.number)
    return True


def _first_line(text: str) -> str:
    return text.strip().strip('"').splitlines()[0].strip('" ')[:200]

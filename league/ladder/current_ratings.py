"""Ratings of several bots or versions at once, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bots_sdk.rating.skill import Rating
from engine.registry import GAMES
from league.bots.models import Bot
from league.ladder.models import Entry, LadderRating
from league.ladder.services import PROVISIONAL


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating in one game, and the rated matches behind it."""

    game: str
    strength: Rating
    matches: int
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot with its rating in every game, None where it has none."""

    bot: Bot
    ratings: tuple[Shown | None, ...]


def of_bots(bots: Sequence[Bot]) -> list[BotRow]:
    """The bots as they stand now: by their active version, with the matches of all versions."""
    active = [bot.active_id for bot in bots if bot.active_id]
    played = {
        (entry.bot_id, entry.ladder_id): entry.matches
        for entry in Entry.objects.filter(bot__in=bots, left_at=None)
    }
    shown: dict[tuple[int, str], Shown] = {}
    for rating in LadderRating.objects.filter(version__in=active).select_related("version"):
        key = (rating.version.bot_id, rating.ladder_id)
        matches = played.get(key, 0)
        strength = Rating(rating.mu, rating.sigma)
        shown[key] = Shown(rating.ladder_id, strength, matches, matches < PROVISIONAL)
    return [BotRow(bot, tuple(shown.get((bot.pk, game)) for game in GAMES)) for bot in bots]


def of_versions(versions: Sequence[int]) -> dict[int, list[Shown]]:
    """What versions were rated when they last played."""
    found: dict[int, list[Shown]] = defaultdict(list)
    for rating in LadderRating.objects.filter(version__in=versions, matches__gt=0).order_by(
        "ladder"
    ):
        strength = Rating(rating.mu, rating.sigma)
        found[rating.version_id].append(Shown(rating.ladder_id, strength, rating.matches))
    return found

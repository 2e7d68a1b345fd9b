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
class CurrentRating:
    """A rating in one game, and the rated matches behind it."""

    game: str
    strength: Rating
    matches: int
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot with its rating in every game, None where it has none."""

    bot: Bot
    ratings: tuple[CurrentRating | None, ...]


def of_bots(bots: Sequence[Bot]) -> list[BotRow]:
    """Return the bots with the ratings of their active versions and the matches of all versions."""
    active = [bot.active_id for bot in bots if bot.active_id]
    played = {
        (entry.bot_id, entry.ladder_id): entry.matches
        for entry in Entry.objects.filter(bot__in=bots, left_at=None)
    }
    ratings: dict[tuple[int, str], CurrentRating] = {}
    for rating in LadderRating.objects.filter(version__in=active).select_related("version"):
        key = (rating.version.bot_id, rating.ladder_id)
        matches = played.get(key, 0)
        strength = Rating(rating.mu, rating.sigma)
        ratings[key] = CurrentRating(rating.ladder_id, strength, matches, matches < PROVISIONAL)
    return [BotRow(bot, tuple(ratings.get((bot.pk, game)) for game in GAMES)) for bot in bots]


def of_versions(versions: Sequence[int]) -> dict[int, list[CurrentRating]]:
    """Return, by version, its ratings as of its last match, in the order of the games."""
    ratings: dict[int, list[CurrentRating]] = defaultdict(list)
    games = list(GAMES)
    played = LadderRating.objects.filter(version__in=versions, ladder__in=games, matches__gt=0)
    for rating in sorted(played, key=lambda rating: games.index(rating.ladder_id)):
        strength = Rating(rating.mu, rating.sigma)
        ratings[rating.version_id].append(CurrentRating(rating.ladder_id, strength, rating.matches))
    return ratings

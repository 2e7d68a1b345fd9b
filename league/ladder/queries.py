"""Reading ladders: the table of a game, and what a match did to its seats."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, ExpressionWrapper, F, FilteredRelation, FloatField, Q, QuerySet

from bots_sdk.rating.skill import CAUTION, Rating
from league.bots.models import Bot
from league.ladder.models import Entry, LadderRating
from league.ladder.services import PROVISIONAL


def cautious_rating(path: str = "") -> "ExpressionWrapper[Any]":
    """Return `Rating.cautious` as an expression, for the rating that `path` leads to."""
    return ExpressionWrapper(
        F(f"{path}mu") - CAUTION * F(f"{path}sigma"), output_field=FloatField()
    )


def table(game: str) -> QuerySet[Any]:
    """Return the bots on the ladder with the ratings of their active versions, the best first.

    Rows carry `mu`, `sigma` and `cautious`, and are fetched with bot, owner and version.
    """
    return (
        Entry.objects.filter(ladder=game, left_at=None)
        .annotate(
            rating=FilteredRelation(
                "bot__active__ratings", condition=Q(bot__active__ratings__ladder=game)
            ),
            mu=F("rating__mu"),
            sigma=F("rating__sigma"),
            cautious=cautious_rating("rating__"),
        )
        .filter(mu__isnull=False)
        .select_related("bot__owner", "bot__active")
        .order_by("-cautious", "bot__name")
    )


def ranked(game: str) -> QuerySet[Any]:
    """Return the bots with enough matches for a rank."""
    return table(game).filter(matches__gte=PROVISIONAL)


def provisional(game: str) -> QuerySet[Any]:
    """Return the bots without a rank yet, that with the highest rating first."""
    return table(game).filter(matches__lt=PROVISIONAL).order_by("-mu", "bot__name")


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot on one ladder."""

    game: str
    entry: Entry
    strength: Rating
    rank: int | None
    """None while it is provisional."""


def standings(bot: Bot) -> list[Standing]:
    """Return where a bot stands on all its ladders, with its ranks."""
    ratings = LadderRating.objects.filter(version=bot.active_id).values_list(
        "ladder", "mu", "sigma"
    )
    strengths = {game: Rating(mu, sigma) for game, mu, sigma in ratings}
    entries = [
        entry
        for entry in Entry.objects.filter(bot=bot, left_at=None).order_by("pk")
        if entry.ladder_id in strengths
    ]
    ranked_games = [entry.ladder_id for entry in entries if entry.matches >= PROVISIONAL]
    ahead = _ahead({game: strengths[game] for game in ranked_games})
    return [
        Standing(
            entry.ladder_id,
            entry,
            strengths[entry.ladder_id],
            ahead.get(entry.ladder_id, 0) + 1 if entry.ladder_id in ranked_games else None,
        )
        for entry in entries
    ]


def _ahead(strengths: dict[str, Rating]) -> dict[str, int]:
    """Return, by ladder, how many ranked bots have a higher cautious rating, in one query."""
    stronger = Q(pk__in=[])
    for game, strength in strengths.items():
        stronger |= Q(ladder=game, cautious__gt=strength.cautious)
    active = LadderRating.objects.filter(
        version=F("version__bot__active"),
        version__bot__entries__ladder=F("ladder"),
        version__bot__entries__left_at=None,
        version__bot__entries__matches__gte=PROVISIONAL,
    ).annotate(cautious=cautious_rating())
    return dict(active.filter(stronger).values_list("ladder").annotate(Count("pk")))

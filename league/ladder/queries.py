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
    """Everybody on the ladder with the rating of the active version; the best first.

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
    """Those with enough matches to have a rank."""
    return table(game).filter(matches__gte=PROVISIONAL)


def provisional(game: str) -> QuerySet[Any]:
    """Those still finding their place, the one with most matches first."""
    return table(game).filter(matches__lt=PROVISIONAL).order_by("-matches", "bot__name")


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot on one ladder."""

    game: str
    entry: Entry
    strength: Rating
    rank: int | None
    """None while it is provisional."""


def standings(bot: Bot) -> list[Standing]:
    """Where a bot stands on all ladders it is on, with its ranks."""
    ratings = LadderRating.objects.filter(version=bot.active_id).values_list(
        "ladder", "mu", "sigma"
    )
    strengths = {game: Rating(mu, sigma) for game, mu, sigma in ratings}
    entries = [
        entry
        for entry in Entry.objects.filter(bot=bot, left_at=None).order_by("pk")
        if entry.ladder_id in strengths
    ]
    placed = [entry.ladder_id for entry in entries if entry.matches >= PROVISIONAL]
    ahead = _ahead({game: strengths[game] for game in placed})
    return [
        Standing(
            entry.ladder_id,
            entry,
            strengths[entry.ladder_id],
            ahead.get(entry.ladder_id, 0) + 1 if entry.ladder_id in placed else None,
        )
        for entry in entries
    ]


def _ahead(strengths: dict[str, Rating]) -> dict[str, int]:
    """On each ladder, how many with a rank are surer to be strong than this; one query for all."""
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

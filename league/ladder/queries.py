"""Reading ladders: the table of a game, and what a match did to its seats."""

from dataclasses import dataclass
from typing import Any

from django.db.models import ExpressionWrapper, F, FilteredRelation, FloatField, Q, QuerySet

from bots_sdk.rating import Rating as Strength
from league.bots.models import Bot
from league.ladder.models import Entry
from league.ladder.services import PROVISIONAL


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
            cautious=ExpressionWrapper(
                F("rating__mu") - 3 * F("rating__sigma"), output_field=FloatField()
            ),
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
    strength: Strength
    rank: int | None
    """None while it is provisional."""


def standings(bot: Bot) -> list[Standing]:
    """Where a bot stands on all ladders it is on, with its ranks."""
    found = []
    for game in Entry.objects.filter(bot=bot, left_at=None).values_list("ladder", flat=True):
        entry = table(game).filter(bot=bot).first()
        if entry is None:
            continue
        rank = None
        if entry.matches >= PROVISIONAL:
            rank = ranked(game).filter(cautious__gt=entry.cautious).count() + 1
        found.append(Standing(game, entry, Strength(entry.mu, entry.sigma), rank))
    return found

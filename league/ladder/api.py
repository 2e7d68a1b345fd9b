"""The API of ladders: their tables, who enters and leaves, ratings and their receipts."""

from itertools import pairwise
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from engine.registry import GAMES
from league.accounts.auth import ApiRequest, anyone, uploader
from league.api.paging import Page, Paging, Rows
from league.api.problems import Problem
from league.bots.models import Bot
from league.bots.ownership import own_bot
from league.bots.schemas import Slug
from league.errors import Refused
from league.ladder import queries, services
from league.ladder.models import Ladder, RatingChange
from league.ladder.schemas import (
    EntryOut,
    LadderFilter,
    LadderRow,
    ReceiptOut,
    StandingOut,
    show_receipt,
    show_row,
    show_standing,
)

router = Router(tags=["Ladders"], auth=anyone)


@router.get("/leaderboards/{slug:game}", response=Page[LadderRow])
def read_leaderboard(
    request: ApiRequest, game: Slug, filters: Query[LadderFilter], paging: Query[Paging]
) -> dict[str, Any]:
    """Read the ladder of a game: the ranked bots, the best first; or the provisional ones, that
    with the highest rating first.
    """
    _must_exist(game)
    provisional = filters.show == "provisional"
    table = queries.provisional(game) if provisional else queries.ranked(game)
    if not filters.house:
        table = table.exclude(bot__owner=None)
    keys = ("-mu", "bot__name") if provisional else ("-cautious", "bot__name")
    rows = Rows(table, keys, paging)
    ranks = [None] * len(rows.items) if provisional else _ranks(table, rows.items)
    items = [show_row(entry, rank) for entry, rank in zip(rows.items, ranks, strict=True)]
    return rows.page(request, items)


def _must_exist(game: Slug) -> None:
    if game not in GAMES:
        raise Refused("L010", status=404, reason=f"There is no game `{game}`")


def _ranks(table: QuerySet[Any], page: list[Any]) -> list[int]:
    """Return the ranks of the rows of a page among all rows; equals share one."""
    if not page:
        return []
    first = page[0]
    better = table.filter(cautious__gt=first.cautious).count()
    level = table.filter(cautious=first.cautious, bot__name__lt=first.bot.name).count()
    ranks = [better + 1]
    for number, (before, row) in enumerate(pairwise(page), start=better + level + 2):
        ranks.append(ranks[-1] if row.cautious == before.cautious else number)
    return ranks


@router.post(
    "/leaderboards/{slug:game}/entries/{slug:slug}",
    auth=uploader,
    response={200: EntryOut, 409: Problem},
)
def enter_ladder(request: ApiRequest, game: Slug, slug: Slug) -> EntryOut:
    """Put your bot on the ladder of a game that its active version plays, or back on it. Bots enter
    by themselves when their first version is accepted.
    """
    bot = own_bot(request.auth, slug)
    ladder = get_object_or_404(Ladder, game=game)
    entry = services.enter(bot, ladder.game)
    return EntryOut(game=game, bot=slug, entered_at=entry.entered_at, matches=entry.matches)


@router.delete(
    "/leaderboards/{slug:game}/entries/{slug:slug}",
    auth=uploader,
    response={204: None, 409: Problem},
)
def leave_ladder(request: ApiRequest, game: Slug, slug: Slug) -> Status[None]:
    """Take your bot off a ladder. Its rating stays and waits for its return."""
    bot = own_bot(request.auth, slug)
    ladder = get_object_or_404(Ladder, game=game)
    services.leave(bot, ladder.game)
    return Status(204, None)


@router.get("/bots/{slug:slug}/ratings", response=list[StandingOut])
def read_ratings(request: ApiRequest, slug: Slug) -> list[StandingOut]:
    """Read where a bot stands on all its ladders."""
    bot = get_object_or_404(Bot.objects.visible_to(request.auth.user), slug=slug)
    return [show_standing(standing) for standing in queries.standings(bot)]


@router.get("/bots/{slug:slug}/ratings/{slug:game}", response=Page[ReceiptOut])
def list_receipts(
    request: ApiRequest, slug: Slug, game: Slug, paging: Query[Paging]
) -> dict[str, Any]:
    """List what each rated match did to a bot's rating on one ladder, the latest first."""
    _must_exist(game)
    bot = get_object_or_404(Bot.objects.visible_to(request.auth.user), slug=slug)
    changes = RatingChange.objects.filter(bot=bot, ladder=game).select_related("version")
    rows = Rows(changes, ("-ledger_position",), paging)
    return rows.page(request, [show_receipt(change) for change in rows.items])

"""The API of tournaments: find and follow them, create one, enter and leave."""

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from league.accounts.auth import ApiRequest, anyone, organiser, uploader
from league.api.paging import Page, Paging, Rows
from league.api.problems import Problem
from league.bots.models import Bot
from league.bots.schemas import Slug
from league.errors import Refused
from league.matches.models import Match
from league.tournaments.models import Game, Tournament
from league.tournaments.queries.exports import values
from league.tournaments.queries.progress import Standing
from league.tournaments.schemas import (
    EnterIn,
    TournamentEntry,
    TournamentFilter,
    TournamentIn,
    TournamentOut,
    TournamentPlace,
    TournamentRound,
    TournamentSlug,
    WholeTournament,
    show_entry,
    show_round,
    show_tournament,
    show_whole_tournament,
)
from league.tournaments.services import entries, lifecycle

router = Router(tags=["Tournaments"], auth=anyone)

_SETTLED = ("about", "max_entries", "per_user", "invite_code", "best_of_ladder", "no_provisional")
_OVER = frozenset({Match.Status.FINISHED, Match.Status.VOID})


def _tournaments() -> QuerySet[Tournament]:
    return Tournament.objects.public().select_related("organiser", "cup")


def _find(request: ApiRequest, slug: str) -> Tournament:
    """What everybody may see, and one's own drafts."""
    found = get_object_or_404(Tournament.objects.select_related("organiser", "cup"), slug=slug)
    if found.published_at is None and not lifecycle.may_manage(found, request.auth.user):
        raise Refused("L010", status=404)
    return found


def _own_bot(request: ApiRequest, slug: str) -> Bot:
    bots = Bot.objects.select_related("active").prefetch_related("active__plays")
    bot = get_object_or_404(bots, slug=slug)
    if not request.auth.is_user(bot.owner_id):
        raise Refused("L007", status=403, reason=f"`{slug}` is not your bot")
    return bot


@router.get("/tournaments", response=Page[TournamentOut])
def list_tournaments(
    request: ApiRequest, wanted: Query[TournamentFilter], paging: Query[Paging]
) -> dict[str, Any]:
    """Tournaments, the latest made first."""
    found = _tournaments()
    if wanted.game:
        found = found.filter(game=wanted.game)
    if wanted.state:
        found = found.filter(state=wanted.state)
    rows = Rows(found, ("-pk",), paging)
    return rows.page(request, [show_tournament(request, one) for one in rows.items])


@router.post(
    "/tournaments", auth=organiser, response={201: WholeTournament, 403: Problem, 422: Problem}
)
def create_tournament(
    request: ApiRequest, response: HttpResponse, wanted: TournamentIn
) -> Status[WholeTournament]:
    """Create a tournament. Unless you say otherwise it is open for entries at once, and runs by
    itself from then on.
    """
    if wanted.locks_at and wanted.locks_at > wanted.starts_at:
        raise Refused("L011", status=422, reason="It cannot start before entry closes")
    lifecycle.refuse_closed(wanted.locks_at or wanted.starts_at)
    user = request.auth.owner
    made = lifecycle.create(
        user,
        wanted.name,
        wanted.game,
        wanted.config,
        starts_at=wanted.starts_at,
        locks_at=wanted.locks_at or wanted.starts_at,
        rated=wanted.rated,
        versions=wanted.versions,
        options=wanted.options,
        **{name: getattr(wanted, name) for name in _SETTLED},
    )
    if wanted.publish:
        lifecycle.publish(made, user)
        made.refresh_from_db()
    response["Location"] = request.build_absolute_uri(f"{request.path}/{made.slug}")
    return Status(201, show_whole_tournament(request, Standing(made)))


@router.get("/tournaments/{slug:tournament}", response=WholeTournament)
def read_tournament(request: ApiRequest, tournament: TournamentSlug) -> WholeTournament:
    """One tournament: how far it is, and who is in it."""
    return show_whole_tournament(request, Standing(_find(request, tournament)))


@router.get("/tournaments/{slug:tournament}/standings", response=list[TournamentPlace])
def read_standings(request: ApiRequest, tournament: TournamentSlug) -> list[TournamentPlace]:
    """Who stands where, and by what it was decided; empty before the first round."""
    return [TournamentPlace(**line) for line in values(Standing(_find(request, tournament)))]


@router.get("/tournaments/{slug:tournament}/rounds", response=list[TournamentRound])
def list_rounds(request: ApiRequest, tournament: TournamentSlug) -> list[TournamentRound]:
    """All rounds that began, with their tables and matches."""
    standing = Standing(_find(request, tournament))
    games: dict[int, dict[int, list[tuple[int, bool]]]] = defaultdict(lambda: defaultdict(list))
    found = Game.objects.filter(round__tournament=standing.tournament).order_by("table", "number")
    for row, table, match, status in found.values_list("round", "table", "match", "match__status"):
        games[row][table].append((match, status in _OVER))
    rows = standing.tournament.rounds.all()
    return [show_round(standing, row, games[row.pk]) for row in rows]


@router.post(
    "/tournaments/{slug:tournament}/entries",
    auth=uploader,
    response={201: TournamentEntry, 409: Problem},
)
def enter_tournament(
    request: ApiRequest, tournament: TournamentSlug, wanted: EnterIn
) -> Status[TournamentEntry]:
    """Enter one of your bots in a tournament that is open."""
    found = _find(request, tournament)
    bot = _own_bot(request, wanted.bot)
    entry = entries.enter(found, bot, request.auth.owner, wanted.invite_code)
    return Status(201, show_entry(entry))


@router.delete(
    "/tournaments/{slug:tournament}/entries/{slug:bot}",
    auth=uploader,
    response={204: None, 409: Problem},
)
def leave_tournament(request: ApiRequest, tournament: TournamentSlug, bot: Slug) -> Status[None]:
    """Withdraw one of your bots: while entry is open it never was there; later it plays no further
    round and stands behind everybody who stayed.
    """
    found = _find(request, tournament)
    entries.withdraw(found, _own_bot(request, bot), request.auth.owner)
    return Status(204, None)

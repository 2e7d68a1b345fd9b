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
from league.bots.ownership import own_bot
from league.bots.schemas import Slug
from league.errors import Refused
from league.matches.models import Match
from league.tournaments.models import Game, Tournament
from league.tournaments.queries.exports import values
from league.tournaments.queries.standing import Standing
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
from league.tournaments.sealing.terms import FIELDS as EVENT_FIELDS
from league.tournaments.services import entries, lifecycle
from league.tournaments.services.permissions import may_manage
from league.tournaments.services.terms import refuse_closed

router = Router(tags=["Tournaments"], auth=anyone)

_TERMS = (
    *("about", "max_entries", "per_user", "invite_code", "best_of_ladder", "no_provisional"),
    *EVENT_FIELDS,
)
_OVER = frozenset({Match.Status.FINISHED, Match.Status.VOID})


def _tournaments() -> QuerySet[Tournament]:
    return Tournament.objects.public().select_related("organiser", "recurring")


def _find(request: ApiRequest, slug: str) -> Tournament:
    """Return a tournament that the caller may see: a public one, or an own draft."""
    tournaments = Tournament.objects.select_related("organiser", "recurring")
    tournament = get_object_or_404(tournaments, slug=slug)
    if tournament.published_at is None and not may_manage(tournament, request.auth.user):
        raise Refused("L010", status=404)
    return tournament


@router.get("/tournaments", response=Page[TournamentOut])
def list_tournaments(
    request: ApiRequest, filters: Query[TournamentFilter], paging: Query[Paging]
) -> dict[str, Any]:
    """List tournaments, the latest first."""
    tournaments = _tournaments()
    if filters.game:
        tournaments = tournaments.filter(game=filters.game)
    if filters.state:
        tournaments = tournaments.filter(state=filters.state)
    rows = Rows(tournaments, ("-pk",), paging)
    return rows.page(request, [show_tournament(request, one) for one in rows.items])


@router.post(
    "/tournaments", auth=organiser, response={201: WholeTournament, 403: Problem, 422: Problem}
)
def create_tournament(
    request: ApiRequest, response: HttpResponse, tournament: TournamentIn
) -> Status[WholeTournament]:
    """Create a tournament. By default it is open for entries at once, and runs automatically from
    then on.
    """
    if tournament.locks_at and tournament.locks_at > tournament.starts_at:
        raise Refused("L011", status=422, reason="It cannot start before entry closes")
    refuse_closed(tournament.locks_at or tournament.starts_at)
    user = request.auth.owner
    row = lifecycle.create(
        user,
        tournament.name,
        tournament.game,
        tournament.config,
        starts_at=tournament.starts_at,
        locks_at=tournament.locks_at or tournament.starts_at,
        rated=tournament.rated,
        versions=tournament.versions,
        options=tournament.options,
        **{name: getattr(tournament, name) for name in _TERMS},
    )
    if tournament.publish:
        lifecycle.publish(row, user)
        row.refresh_from_db()
    response["Location"] = request.build_absolute_uri(f"{request.path}/{row.slug}")
    return Status(201, show_whole_tournament(request, Standing(row)))


@router.get("/tournaments/{slug:tournament}", response=WholeTournament)
def read_tournament(request: ApiRequest, tournament: TournamentSlug) -> WholeTournament:
    """Read a tournament: how far it is, and who is in it."""
    return show_whole_tournament(request, Standing(_find(request, tournament)))


@router.get("/tournaments/{slug:tournament}/standings", response=list[TournamentPlace])
def read_standings(request: ApiRequest, tournament: TournamentSlug) -> list[TournamentPlace]:
    """Read the standings, with what decided each place; empty before the first round."""
    return [TournamentPlace(**line) for line in values(Standing(_find(request, tournament)))]


@router.get("/tournaments/{slug:tournament}/rounds", response=list[TournamentRound])
def list_rounds(request: ApiRequest, tournament: TournamentSlug) -> list[TournamentRound]:
    """List all rounds that began, with their tables and matches. On an event night, rounds after
    the first sealed one are left out, and so are sealed matches.
    """
    standing = Standing(_find(request, tournament))
    games: dict[int, dict[int, list[tuple[int, bool]]]] = defaultdict(lambda: defaultdict(list))
    rows = standing.round_rows
    own = Game.objects.filter(round__in=rows, match__sealed=False).order_by("table", "number")
    for row, table, match, status in own.values_list("round", "table", "match", "match__status"):
        games[row][table].append((match, status in _OVER))
    return [show_round(standing, row, games[row.pk]) for row in rows]


@router.post(
    "/tournaments/{slug:tournament}/entries",
    auth=uploader,
    response={201: TournamentEntry, 409: Problem},
)
def enter_tournament(
    request: ApiRequest, tournament: TournamentSlug, entry: EnterIn
) -> Status[TournamentEntry]:
    """Enter one of your bots in a tournament that is open."""
    row = _find(request, tournament)
    bot = own_bot(request.auth, entry.bot)
    created = entries.enter(row, bot, request.auth.owner, entry.invite_code)
    return Status(201, show_entry(created))


@router.delete(
    "/tournaments/{slug:tournament}/entries/{slug:bot}",
    auth=uploader,
    response={204: None, 409: Problem},
)
def leave_tournament(request: ApiRequest, tournament: TournamentSlug, bot: Slug) -> Status[None]:
    """Withdraw one of your bots: without a trace while entry is open; later it plays no further
    round and is ranked below everybody who stayed.
    """
    row = _find(request, tournament)
    entries.withdraw(row, own_bot(request.auth, bot), request.auth.owner)
    return Status(204, None)

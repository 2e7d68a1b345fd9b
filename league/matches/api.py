"""The API of games and matches: finding them, challenges, records and one's own logs."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from engine.registry import GAMES
from league.accounts.auth import ApiRequest, anyone, reader, uploader
from league.api.paging import Page, Paging, Rows
from league.api.problems import Problem
from league.bots import house_bots
from league.bots.models import Bot
from league.errors import Refused
from league.matches import services
from league.matches.models import Match, Seat
from league.matches.records import copies
from league.matches.schemas import (
    ChallengeIn,
    GameOut,
    MatchFilter,
    MatchId,
    MatchOut,
    SeatLogOut,
    WholeMatch,
    show_log,
    show_match,
    show_whole_match,
)

router = Router(tags=["Matches"], auth=anyone)


def _matches() -> QuerySet[Match]:
    """Return the public matches, with only those columns of their seats that are told."""
    seats = Seat.objects.select_related("bot", "version").only(
        *("match", "number", "place", "score", "forfeited", "faulty", "think_ms", "slowest_ms"),
        *("bot__slug", "bot__name", "version__number"),
    )
    return Match.objects.public().prefetch_related(Prefetch("seats", seats))


@router.get("/games", response=list[GameOut])
def list_games(request: ApiRequest) -> list[GameOut]:  # noqa: ARG001  ninja passes it
    """List the games that are played here."""
    return [
        GameOut(
            slug=game.slug,
            name=game.name,
            rules=game.rules,
            seats=list(game.seats),
            options={name: option.default for name, option in game.options_allowed.items()},
        )
        for game in GAMES.values()
    ]


@router.get("/matches", response=Page[MatchOut])
def list_matches(
    request: ApiRequest, filters: Query[MatchFilter], paging: Query[Paging]
) -> dict[str, Any]:
    """List matches, the latest first."""
    matches = _matches()
    if filters.game:
        matches = matches.filter(game=filters.game)
    if filters.status:
        matches = matches.filter(status=filters.status)
    if filters.bot:
        slugs = house_bots.resolve(filters.game or "", [filters.bot])
        seats = Seat.objects.filter(bot__in=Bot.objects.filter(slug__in=slugs))
        matches = matches.filter(pk__in=seats.values("match"))
    rows = Rows(matches, ("-pk",), paging)
    return rows.page(request, [show_match(request, match) for match in rows.items])


@router.post("/matches", auth=uploader, response={201: WholeMatch})
def challenge(
    request: ApiRequest, response: HttpResponse, match: ChallengeIn
) -> Status[WholeMatch]:
    """Ask for an unrated match between the active versions of named bots, yours or others'."""
    queued = services.challenge(request.auth.owner, match.game, match.bots, match.options)
    response["Location"] = request.build_absolute_uri(f"{request.path}/{queued.pk}")
    return Status(201, show_whole_match(request, _matches().get(pk=queued.pk)))


@router.get("/matches/{int:match_id}", response=WholeMatch)
def read_match(request: ApiRequest, match_id: MatchId) -> WholeMatch:
    """Read one match: its seats, its result and its faults."""
    return show_whole_match(request, get_object_or_404(_matches(), pk=match_id))


@router.get(
    "/matches/{int:match_id}/record",
    response={200: None, 304: None, 401: Problem, 403: Problem},
    openapi_extra={
        "responses": {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}
    },
)
def read_record(
    request: ApiRequest, match_id: MatchId, query: Query[copies.RecordQuery]
) -> HttpResponseBase:
    """Read the record of a finished match: every step, verifiable by its seed and digest. It never
    changes, so it may be cached for ever.

    `view` returns a copy that holds only what a seat or the public could see. `notes=mine` adds the
    notes of your own bots (requires a key with the scope `read`).
    """
    match = get_object_or_404(Match.objects.public(), pk=match_id)
    return copies.answer(request, match, query)


@router.get("/matches/{int:match_id}/log", auth=reader, response=list[SeatLogOut])
def read_log(request: ApiRequest, match_id: MatchId) -> list[SeatLogOut]:
    """Read what your own bots printed and noted in a match, and the tracebacks of their faults.

    Logs are kept for some weeks.
    """
    own = Seat.objects.filter(
        match__in=Match.objects.public().filter(pk=match_id), bot__owner=request.auth.owner
    )
    seats = list(own.select_related("bot", "version", "log").prefetch_related("faults__seat"))
    if not seats:
        raise Refused("L010", status=404, reason="None of your bots sat in such a match")
    return [show_log(seat) for seat in seats]

"""Matches as the API sends and takes them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, Schema
from pydantic import StrictInt, StringConstraints

from engine.registry import GAMES
from league.api.unknown_names import Body
from league.bots.schemas import Slug
from league.matches import queries
from league.matches.models import Fault, Match, Seat

# Not the choices of the models: all are named Status, and names in the document are unique.
MatchStatus = Literal["queued", "running", "finished", "void"]
MatchKind = Literal["ladder", "challenge", "tournament"]
_TIME = "2026-03-01T12:00:00Z"


MatchId = Annotated[int, Field(ge=0, le=2**63 - 1)]
OptionName = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^\w+$")]
OptionText = Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]
OptionNumber = Annotated[StrictInt, Field(ge=0, le=1_000_000)]
GameOptions = Annotated[dict[OptionName, OptionNumber | OptionText | None], Field(max_length=20)]


class GameOut(Schema):
    """A game that is played here."""

    slug: str = Field(examples=["basari"])
    name: str = Field(examples=["Basari: the card game"])
    rules: str = Field(description="Version of the rules.", examples=["1"])
    seats: list[int] = Field(description="Possible numbers of seats.", examples=[[3, 4, 5]])
    options: dict[str, Any] = Field(description="Options and their defaults.", examples=[{}])


class ChallengeIn(Body):
    """An unrated match between named bots."""

    game: Slug = Field(examples=["basari"])
    bots: list[Slug] = Field(
        min_length=1,
        max_length=max(max(game.seats) for game in GAMES.values()),
        description="Slugs, in the order of the seats. House bots also by the names that `karat`"
        " knows.",
        examples=[["sapphire-shark", "greedy", "random"]],
    )
    options: GameOptions = Field(
        default_factory=dict,
        description="Options of the game that differ from the defaults, as `games` lists them.",
        examples=[{"max_offers": 20}],
    )


class MatchFilter(Schema):
    """Filters of matches."""

    game: Slug | None = Field(None, examples=["basari"])
    bot: Slug | None = Field(
        None,
        description="Only matches of this bot: its slug or, together with `game`, the name that"
        " `karat` knows.",
    )
    status: MatchStatus | None = None


class SeatOut(Schema):
    """A seat and its result."""

    seat: int = Field(examples=[0])
    letter: str = Field(examples=["A"])
    bot: str = Field(examples=["sapphire-shark"])
    name: str = Field(examples=["Sapphire Shark"])
    version: int = Field(examples=[7])
    place: int | None = Field(examples=[1])
    score: int | None = Field(examples=[38])
    forfeited: bool = Field(examples=[False])
    faulty: bool = Field(examples=[False])
    think_ms: float = Field(description="Its total thinking time.", examples=[41.5])
    slowest_ms: float = Field(examples=[3.1])


class MatchOut(Schema):
    """A match."""

    id: int = Field(examples=[48211])
    game: str = Field(examples=["basari"])
    kind: MatchKind = Field(examples=["ladder"])
    rated: bool = Field(examples=[True])
    status: MatchStatus = Field(examples=["finished"])
    seats: list[SeatOut]
    created_at: datetime = Field(examples=[_TIME])
    started_at: datetime | None = Field(examples=[_TIME])
    finished_at: datetime | None = Field(examples=[_TIME])
    decisions: int = Field(examples=[141])
    duration_ms: int = Field(examples=[212])
    fault_count: int = Field(examples=[0])
    drama: float = Field(
        description="How much its chances swung; 0 until they are estimated.", examples=[1.43]
    )
    void_because: str | None = Field(examples=[None])
    url: str = Field(description="Its page.", examples=["https://karat.example/matches/48211/"])


class FaultOut(Schema):
    """A fault of a bot."""

    seat: int = Field(examples=[1])
    step: int | None = Field(
        description="Null if it happened while the bot was loaded.", examples=[88]
    )
    code: str = Field(examples=["E302"])
    detail: str = Field(examples=["No answer after 250 ms of computing time."])


class WholeMatch(MatchOut):
    """A match with its faults and its place in the queue."""

    options: dict[str, Any] = Field(examples=[{}])
    faults: list[FaultOut]
    place_in_queue: int | None = Field(
        description="While it is queued; 1 is played next.", examples=[None]
    )


class OwnFault(FaultOut):
    """A fault as the owner of the bot sees it."""

    traceback: str | None = Field(examples=[None])


class SeatLogOut(Schema):
    """The log of a seat, which only the owner of the bot sees."""

    seat: int = Field(examples=[0])
    bot: str = Field(examples=["sapphire-shark"])
    version: int = Field(examples=[7])
    printed: str = Field(examples=["opening with blue\n"])
    cut: bool = Field(description="Whether it printed more than is stored.", examples=[False])
    marks: list[list[int]] = Field(
        description="After each decision: its step, and how much was printed until then.",
        examples=[[[3, 18]]],
    )
    notes: dict[str, str] = Field(
        description="Notes of the bot, by step.", examples=[{"3": "cheap enough"}]
    )
    faults: list[OwnFault]


def show_match(request: HttpRequest, match: Match) -> MatchOut:
    """Return a match that was fetched with seats, bots and versions."""
    return MatchOut(**_facts(request, match))


def show_whole_match(request: HttpRequest, match: Match) -> WholeMatch:
    """Return a match with everything that is public."""
    faults = Fault.objects.filter(seat__match=match).select_related("seat").order_by("pk")
    return WholeMatch(
        **_facts(request, match),
        options=match.options,
        faults=[FaultOut(**_fault(fault)) for fault in faults],
        place_in_queue=queries.place_in_queue(match),
    )


def show_log(seat: Seat) -> SeatLogOut:
    """Return the log of a seat, fetched with its faults. An expired log looks like an empty one."""
    log = getattr(seat, "log", None)
    return SeatLogOut(
        seat=seat.number,
        bot=seat.bot.slug,
        version=seat.version.number,
        printed=log.printed if log else "",
        cut=log.cut if log else False,
        marks=log.marks if log else [],
        notes=log.notes if log else {},
        faults=[
            OwnFault(**_fault(fault), traceback=fault.traceback or None)
            for fault in sorted(seat.faults.all(), key=lambda fault: fault.pk)
        ],
    )


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat.number,
        "step": fault.step,
        "code": fault.code,
        "detail": fault.detail,
    }


def _facts(request: HttpRequest, match: Match) -> dict[str, Any]:
    return {
        "id": match.pk,
        "game": match.game,
        "kind": match.kind,
        "rated": match.rated,
        "status": match.status,
        "seats": [_seat(seat) for seat in match.seats.all()],
        "created_at": match.created_at,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "decisions": match.decisions,
        "duration_ms": match.duration_ms,
        "fault_count": match.fault_count,
        "drama": match.excitement,
        "void_because": match.void_because or None,
        "url": request.build_absolute_uri(match.get_absolute_url()),
    }


def _seat(seat: Seat) -> SeatOut:
    return SeatOut(
        seat=seat.number,
        letter=seat.letter,
        bot=seat.bot.slug,
        name=seat.bot.name,
        version=seat.version.number,
        place=seat.place,
        score=seat.score,
        forfeited=seat.forfeited,
        faulty=seat.faulty,
        think_ms=seat.think_ms,
        slowest_ms=seat.slowest_ms,
    )

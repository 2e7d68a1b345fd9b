"""Tournaments as the API shows and takes them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Schema
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    StrictBool,
    StrictFloat,
    StrictInt,
    StringConstraints,
    WithJsonSchema,
)

from league.api.unknown_names import Body
from league.bots.schemas import Slug
from league.matches.schemas import GameOptions
from league.tournaments import models
from league.tournaments.models import Tournament
from league.tournaments.planning import bounds
from league.tournaments.planning.config import MAX_ENTRIES, MAX_ROUNDS, seat_counts
from league.tournaments.planning.plan import Round, Table
from league.tournaments.queries.rounds import status_of
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing.queries import places
from league.tournaments.sealing.terms import MAX_MINUTES

MAX_MOMENT = 40
"""Characters of a date."""
MAX_NUMBER = 1_000_000
MAX_SEATS = max(seat_counts())
TournamentState = Literal["draft", "open", "locked", "running", "final", "cancelled"]
WhichVersion = Literal["frozen", "latest"]
_TIME = "2026-03-06T18:30:00Z"
_CONFIG = {"format": "swiss", "seats": 4, "rounds": 5, "deals": 12, "mirrored": True}
Text = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
Name = Annotated[
    str, StringConstraints(min_length=3, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
]
Code = Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]


def _require_text(moment: object) -> object:
    """Refuse numbers, which could be read as moments."""
    if not isinstance(moment, str) or len(moment) > MAX_MOMENT or "T" not in moment.upper():
        raise ValueError("write a moment such as 2026-03-06T18:30:00Z")
    return moment


def _require_near(moment: datetime) -> datetime:
    if problem := bounds.moment_problem(moment, timezone.now()):
        raise ValueError(problem)
    return moment


Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_require_text),
    AfterValidator(_require_near),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": MAX_MOMENT}),
]
ConfigName = Annotated[str, StringConstraints(min_length=1, max_length=20, pattern=r"^\w+$")]
ConfigText = Annotated[str, StringConstraints(max_length=bounds.MAX_SEED)]
ConfigNumber = Annotated[StrictInt, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
ConfigFraction = Annotated[StrictFloat, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
ConfigValue = (
    StrictBool
    | ConfigNumber
    | ConfigFraction
    | ConfigText
    | Annotated[list[ConfigNumber], Field(max_length=MAX_SEATS)]
    | None
)
ConfigIn = Annotated[dict[ConfigName, ConfigValue], Field(max_length=20)]
"""The format decides whether it can be played."""
Minutes = Annotated[StrictInt, Field(ge=1, le=MAX_MINUTES)]
TournamentSlug = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[-\w]+$")]


class TournamentFilter(Schema):
    """Filters of the list."""

    game: Slug | None = Field(None, examples=["basari"])
    state: Literal["open", "locked", "running", "final", "cancelled"] | None = None


class TournamentIn(Body):
    """A new tournament that takes place once."""

    name: Name = Field(examples=["Friday Cup"])
    about: Text = Field("", examples=["Five rounds on Friday evening."])
    game: Slug = Field(examples=["edel-stein-reich"])
    config: ConfigIn = Field(
        description="`format` (round-robin, swiss, knockout, series) and its choices: `seats`,"
        " `deals`, `mirrored`, `points`, `rounds` or `advance`.",
        examples=[_CONFIG],
    )
    options: GameOptions = Field(
        default_factory=dict,
        description="Options of the game that differ from the defaults, as `games` lists them.",
        examples=[{"max_offers": 20}],
    )
    starts_at: Moment = Field(examples=[_TIME])
    locks_at: Moment | None = Field(
        None, description="When entry closes. Default: the start.", examples=[_TIME]
    )
    max_entries: StrictInt = Field(64, ge=2, le=MAX_ENTRIES, examples=[64])
    per_user: StrictInt = Field(2, ge=1, le=50, examples=[2])
    invite_code: Code = Field("", examples=[""])
    best_of_ladder: StrictInt = Field(0, ge=0, le=1000, examples=[0])
    no_provisional: StrictBool = Field(False, examples=[False])
    versions: WhichVersion = Field("frozen", examples=["frozen"])
    rated: StrictBool = Field(
        False, description="Counts for ratings; needs the organiser role.", examples=[False]
    )
    sealed_from: StrictInt = Field(
        0,
        ge=0,
        le=MAX_ROUNDS,
        description="Results of this and all later rounds are sealed until they are revealed; 0:"
        " none are.",
        examples=[0],
    )
    freeze_after_minutes: Minutes | None = Field(
        None,
        description="How long after the start the public standings stop. Null: they do not.",
        examples=[None],
    )
    reveal_after_minutes: Annotated[StrictInt, Field(ge=0, le=MAX_MINUTES)] | None = Field(
        None,
        description="How long after the start the first reveal is due. Null: the organiser reveals"
        " by hand.",
        examples=[None],
    )
    reveal_every_minutes: Minutes = Field(
        models.DEFAULT_REVEAL_MINUTES,
        description="How long after a reveal the next one is due.",
        examples=[models.DEFAULT_REVEAL_MINUTES],
    )
    publish: StrictBool = Field(True, description="Open entry at once.", examples=[True])


class EnterIn(Body):
    """One of your bots that enters."""

    bot: Slug = Field(examples=["sapphire-shark"])
    invite_code: Code = Field("", examples=[""])


class TournamentEntry(Schema):
    """A bot in a tournament."""

    bot: str = Field(examples=["sapphire-shark"])
    name: str = Field(examples=["Sapphire Shark"])
    owner: str | None = Field(description="Null for a house bot.", examples=["mira"])
    version: int | None = Field(description="Set at the start.", examples=[7])
    seed: int | None = Field(description="Place in the seeding, set at lock.", examples=[1])
    status: Literal["playing", "withdrawn", "disqualified"] = Field(examples=["playing"])
    place: int | None = Field(description="After the last finished round.", examples=[1])


class TournamentOut(Schema):
    """A tournament."""

    slug: str = Field(examples=["friday-cup-14"])
    name: str = Field(examples=["Friday Cup #14"])
    about: str = Field(examples=["Five rounds on Friday evening."])
    game: str = Field(examples=["edel-stein-reich"])
    state: TournamentState = Field(examples=["running"])
    config: dict[str, Any] = Field(examples=[_CONFIG])
    options: dict[str, Any] = Field(
        description="Options of the game that differ from the defaults.", examples=[{}]
    )
    rated: bool = Field(examples=[False])
    organiser: str | None = Field(description="Null for the league itself.", examples=["tom"])
    cup: str | None = Field(
        description="The recurring tournament it belongs to.", examples=["friday-cup"]
    )
    locks_at: datetime = Field(examples=[_TIME])
    starts_at: datetime = Field(examples=[_TIME])
    finished_at: datetime | None = Field(examples=[None])
    sealed_from: int = Field(
        description="Results of this and all later rounds are sealed until they are revealed.",
        examples=[0],
    )
    freeze_after_minutes: int | None = Field(examples=[None])
    reveal_after_minutes: int | None = Field(examples=[None])
    reveal_every_minutes: int = Field(examples=[models.DEFAULT_REVEAL_MINUTES])
    max_entries: int = Field(examples=[64])
    invited: bool = Field(description="Whether entering needs a code.", examples=[False])
    cancelled_because: str | None = Field(examples=[None])
    master_seed: str | None = Field(description="Once it is final.", examples=[None])
    url: str = Field(
        description="Its page.", examples=["https://karat.example/tournaments/friday-cup-14/"]
    )


class FinalPlace(Schema):
    """A revealed line of the final standings."""

    place: int | None = Field(examples=[8])
    bot: str = Field(examples=["sapphire-shark"])


class WholeTournament(TournamentOut):
    """A tournament with how far it is and who is in it."""

    round: int = Field(description="The latest that began; 0 before the start.", examples=[3])
    rounds: int = Field(description="If nobody leaves.", examples=[5])
    games_over: int = Field(examples=[626])
    games: int = Field(description="If nobody leaves.", examples=[1200])
    sealed_round: int | None = Field(
        description="The first round whose results are sealed; later ones are not listed.",
        examples=[None],
    )
    frozen_at: datetime | None = Field(description="When the standings stopped.", examples=[None])
    next_reveal_at: datetime | None = Field(
        description="When the schedule reveals more, at the earliest.", examples=[None]
    )
    final_places: list[FinalPlace | None] = Field(
        description="On a frozen board: one for each line of the final standings from the first to"
        " the last, null while it is sealed.",
        examples=[[]],
    )
    entries: list[TournamentEntry]


class TournamentPlace(Schema):
    """A line of the standings, with every value that decided it."""

    place: int | None = Field(examples=[1])
    bot: str = Field(examples=["sapphire-shark"])
    name: str = Field(examples=["Sapphire Shark"])
    owner: str | None = Field(examples=["mira"])
    points: float = Field(examples=[21.5])
    by_round: list[float | None] = Field(examples=[[9, 8.5, 4]])
    head_to_head: int | None = Field(examples=[None])
    score: float = Field(description="Per game.", examples=[34.2])
    rating: float | None = Field(description="Cautious, at lock.", examples=[21.4])
    shown_rating: int | None = Field(description="The same as pages show it.", examples=[1356])
    games: int = Field(examples=[96])
    byes: int = Field(examples=[0])
    forfeits: int = Field(examples=[0])
    decided_by: str = Field(examples=["points"])
    status: str = Field(examples=["playing"])


class TournamentTable(Schema):
    """A table of a round."""

    table: int = Field(examples=[1])
    letter: str = Field(examples=["A"])
    bots: list[str] = Field(examples=[["sapphire-shark", "mira", "tin-cup", "owl-9"]])
    advance: int = Field(description="How many advance, in a knock-out.", examples=[0])
    games: list[int] = Field(
        description="The matches that are not sealed, as `matches/{id}`.", examples=[[48211]]
    )
    games_over: int = Field(examples=[1])


class TournamentRound(Schema):
    """A round and its tables."""

    number: int = Field(examples=[1])
    started_at: datetime = Field(examples=[_TIME])
    finished_at: datetime | None = Field(examples=[None])
    sealed: bool = Field(description="Whether results of it are sealed.", examples=[False])
    revealed_at: datetime | None = Field(description="When its seal ended.", examples=[None])
    byes: list[str] = Field(examples=[[]])
    tables: list[TournamentTable]


def show_tournament(request: HttpRequest, tournament: Tournament) -> TournamentOut:
    """Return a tournament that was fetched with organiser and recurring tournament."""
    return TournamentOut(**_facts(request, tournament))


def show_whole_tournament(request: HttpRequest, standing: Standing) -> WholeTournament:
    """Return a tournament with its entries."""
    return WholeTournament(
        **_facts(request, standing.tournament),
        round=len(standing.rounds),
        rounds=standing.round_count,
        games_over=standing.games["over"],
        games=standing.total,
        sealed_round=standing.sealed_round.number if standing.sealed_round else None,
        frozen_at=standing.tournament.frozen_at,
        next_reveal_at=standing.tournament.next_reveal_at,
        final_places=[
            None
            if row is None
            else FinalPlace(place=row.place, bot=standing.entries[row.entry].bot.slug)
            for row in places(standing.tournament)
        ],
        entries=[show_entry(entry) for entry in standing.entries.values()],
    )


def show_entry(entry: models.Entry) -> TournamentEntry:
    """Return an entry that was fetched with bot, owner and version."""
    return TournamentEntry(
        bot=entry.bot.slug,
        name=entry.bot.name,
        owner=entry.bot.owner.shown_name if entry.bot.owner else None,
        version=entry.version.number if entry.version else None,
        seed=entry.rank or None,
        status=status_of(entry),
        place=entry.place,
    )


def show_round(
    standing: Standing, row: models.Round, games: dict[int, list[tuple[int, bool]]]
) -> TournamentRound:
    """Return a round; `games` are matches and whether they are over, by table."""
    planned: Round = standing.rounds[row.number - 1]
    return TournamentRound(
        number=row.number,
        started_at=row.started_at,
        finished_at=None if row.sealed else row.finished_at,
        sealed=row.sealed,
        revealed_at=row.revealed_at,
        byes=[standing.entries[entry].bot.slug for entry in planned.byes],
        tables=[_table(standing, table, games.get(table.number, [])) for table in planned.tables],
    )


def _table(standing: Standing, table: Table, games: list[tuple[int, bool]]) -> TournamentTable:
    return TournamentTable(
        table=table.number,
        letter=table.letter,
        bots=[standing.entries[entry].bot.slug for entry in table.entries],
        advance=table.advance,
        games=[match for match, _ in games],
        games_over=sum(over for _, over in games),
    )


def _facts(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    final = tournament.state == Tournament.State.FINAL
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "about": tournament.about,
        "game": tournament.game,
        "state": tournament.state,
        "config": tournament.config,
        "options": tournament.options,
        "rated": tournament.rated,
        "organiser": tournament.organiser.shown_name if tournament.organiser else None,
        "cup": tournament.recurring.slug if tournament.recurring else None,
        "locks_at": tournament.locks_at,
        "starts_at": tournament.starts_at,
        "finished_at": tournament.finished_at,
        "sealed_from": tournament.sealed_from,
        "freeze_after_minutes": tournament.freeze_after_minutes,
        "reveal_after_minutes": tournament.reveal_after_minutes,
        "reveal_every_minutes": tournament.reveal_every_minutes,
        "max_entries": tournament.max_entries,
        "invited": bool(tournament.invite_code),
        "cancelled_because": tournament.cancelled_because or None,
        "master_seed": tournament.master_seed if final else None,
        "url": request.build_absolute_uri(tournament.get_absolute_url()),
    }

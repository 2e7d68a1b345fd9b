"""Ladders and ratings as the API sends them."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema

from bots_sdk.rating.skill import CAUTION, SHOWN_AT_ZERO, SHOWN_PER_MU, Rating
from league.ladder.models import RatingChange
from league.ladder.queries import Standing
from league.ladder.services import PROVISIONAL

_TIME = "2026-03-01T12:00:00Z"


class RatingOut(Schema):
    """A rating: as people see it, and the numbers behind it."""

    shown: int = Field(description=f"{SHOWN_AT_ZERO} + {SHOWN_PER_MU}·mu.", examples=[1842])
    margin: int = Field(
        description=f"The number after the ±: {2 * SHOWN_PER_MU}·sigma.", examples=[50]
    )
    mu: float = Field(examples=[33.55])
    sigma: float = Field(examples=[0.62])
    cautious: float = Field(
        description=f"mu − {CAUTION}·sigma; ladders rank by it.", examples=[31.69]
    )


class LadderFilter(Schema):
    """The requested part of a ladder."""

    show: Literal["ranked", "provisional"] = Field(
        "ranked", description=f"`provisional`: bots with fewer than {PROVISIONAL} matches."
    )
    house: bool = Field(True, description="Whether house bots are listed.")


class LadderRow(Schema):
    """A bot on a ladder."""

    rank: int | None = Field(
        description="Among all ranked bots; null while provisional.", examples=[1]
    )
    bot: str = Field(examples=["sapphire-shark"])
    name: str = Field(examples=["Sapphire Shark"])
    owner: str | None = Field(description="Null for house bots.", examples=["mira"])
    version: int = Field(examples=[7])
    benched: bool = Field(examples=[False])
    rating: RatingOut
    matches: int = Field(description="Rated matches of all versions.", examples=[1204])
    firsts: int = Field(examples=[493])
    faulty: int = Field(examples=[0])


class EntryOut(Schema):
    """A bot that is on a ladder."""

    game: str = Field(examples=["basari"])
    bot: str = Field(examples=["sapphire-shark"])
    entered_at: datetime = Field(examples=[_TIME])
    matches: int = Field(examples=[0])


class StandingOut(Schema):
    """The rank and rating of a bot on one ladder."""

    game: str = Field(examples=["basari"])
    rank: int | None = Field(description="Null while provisional.", examples=[3])
    rating: RatingOut
    matches: int = Field(examples=[204])
    firsts: int = Field(examples=[71])


class ReceiptOut(Schema):
    """The change of a bot's rating by one match."""

    ledger_position: int = Field(
        description="Its number in the ledger of the ladder.", examples=[3411]
    )
    match: int = Field(examples=[48211])
    seat: int = Field(examples=[0])
    version: int = Field(examples=[7])
    expected: float = Field(description="The expected place.", examples=[1.8])
    before: RatingOut
    after: RatingOut
    at: datetime = Field(examples=[_TIME])


def show_strength(strength: Rating) -> RatingOut:
    """Return a rating for people and programs."""
    return RatingOut(
        shown=round(strength.shown),
        margin=round(strength.margin),
        mu=strength.mu,
        sigma=strength.sigma,
        cautious=strength.cautious,
    )


def show_row(entry: Any, rank: int | None) -> LadderRow:
    """Return an entry with its rating, given a row of `queries.table`."""
    bot = entry.bot
    assert bot.active is not None
    return LadderRow(
        rank=rank,
        bot=bot.slug,
        name=bot.name,
        owner=bot.owner.shown_name if bot.owner else None,
        version=bot.active.number,
        benched=bot.active.benched_at is not None,
        rating=show_strength(Rating(entry.mu, entry.sigma)),
        matches=entry.matches,
        firsts=entry.firsts,
        faulty=entry.faulty,
    )


def show_standing(standing: Standing) -> StandingOut:
    """Return the rank and rating of a bot on one ladder."""
    return StandingOut(
        game=standing.game,
        rank=standing.rank,
        rating=show_strength(standing.strength),
        matches=standing.entry.matches,
        firsts=standing.entry.firsts,
    )


def show_receipt(change: RatingChange) -> ReceiptOut:
    """Return a line of the ledger, fetched with its version."""
    return ReceiptOut(
        ledger_position=change.ledger_position,
        match=change.match_id,
        seat=change.seat,
        version=change.version.number,
        expected=change.expected,
        before=show_strength(Rating(change.mu_before, change.sigma_before)),
        after=show_strength(Rating(change.mu, change.sigma)),
        at=change.created_at,
    )

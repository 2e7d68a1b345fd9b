"""The views of the two barter games as types, as far as they share them."""

from typing import Generic, TypedDict, TypeVar

from engine.record.types import Json
from engine.seats import Seat


class BarterView(TypedDict):
    """A barter under way."""

    action: str
    seats: list[Seat]
    opener: Seat
    offer: list[int] | None
    by: Seat | None
    to_answer: Seat
    offers: int


class Holdings(TypedDict):
    """A seat's part of the table: its gems, the card dealt to it, the action it chose."""

    gems: list[int]
    card: str | None
    action: str | None


H = TypeVar("H", bound=Holdings)
"""A seat's part of the table with whatever else it has in one of the games."""


class SharedTable(TypedDict, Generic[H]):
    """What everybody sees."""

    round: int
    supply: list[int]
    age_rank: list[int]
    seats: list[H]
    barter: BarterView | None


class Asking(TypedDict):
    """What a seat's view has besides the table: what is decided, by whom, by which rules."""

    seat: Seat
    decision: str | None
    asked: list[Seat]
    picking: list[Seat]
    offers_left: int | None
    variant: dict[str, Json]


class SharedSeatView(SharedTable[H], Asking, Generic[H]):
    """The table as a seat sees it."""

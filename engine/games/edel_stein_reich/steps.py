"""The steps that only Edel, Stein & Reich has, as types."""

from typing import Literal, NotRequired

from engine.barter import steps
from engine.record.types import Decision, Event
from engine.seats import Seat


class Phase(Event):
    """A phase begins, and scarce gems go back to the supply."""

    t: Literal["phase"]
    phase: int
    returned: list[list[int]]
    aside: str | None


class Deal(steps.Deal):
    """Every seat gets a gem card, and an event card is revealed."""

    cards: list[str]
    event: str
    reshuffled: bool


class Act(Event):
    """A seat takes money or gems."""

    t: Literal["act"]
    seat: Seat
    action: Literal["money", "gems"]
    gained: int | list[int]
    """Money, or a gem vector."""


class Source(Decision):
    """A seat takes the open event card, or one from the pile."""

    t: Literal["source"]
    card: str
    reshuffled: bool


class Keep(Event):
    """A seat keeps an event card for the next scoring."""

    t: Literal["keep"]
    seat: Seat
    card: str


class Use(Decision):
    """A seat uses an immediate event card, or declines to."""

    t: Literal["use"]
    card: str
    paid: NotRequired[list[int]]
    returned: NotRequired[list[int]]
    """Of the half-value scoring; a value for each seat."""


class Certificates(Event):
    """The certificates are scored; a value for each seat."""

    t: Literal["certificates"]
    held: list[int]
    paid: list[int]

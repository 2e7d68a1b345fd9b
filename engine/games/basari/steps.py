"""The steps that only Basari has, as types."""

from typing import Literal, NotRequired

from engine.barter import steps
from engine.record.types import Event
from engine.seats import Seat


class Stage(Event):
    """A stage begins."""

    t: Literal["stage"]
    stage: int


class Deal(steps.Deal):
    """Every seat gets a bazaar card, unless none is left."""

    cards: list[str | None]


class Act(Event):
    """A seat performs its action."""

    t: Literal["act"]
    seat: Seat
    action: Literal["workers", "points", "gems"]
    card: NotRequired[str | None]
    """Drawn for workers; none if the pile is empty."""
    gained: NotRequired[int | list[int]]
    """Points, or a gem vector."""


class Workers(Event):
    """The workers are scored; a value for each seat."""

    t: Literal["workers"]
    count: list[int]
    paid: list[int]

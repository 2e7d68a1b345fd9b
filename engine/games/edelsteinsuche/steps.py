"""The steps of Edelsteinsuche as types."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict, cast

from engine.record.types import AnyStep, Decision, Ending, Event
from engine.seats import Seat

Knowers = TypedDict("Knowers", {"for": dict[str, list[Seat]]})
"""Which seats know the hidden cards of a step."""


class Start(Event):
    """The rows are dealt."""

    t: Literal["start"]
    dealer: Seat


class Turn(Decision):
    """A seat begins its turn."""

    t: Literal["turn"]
    prospector: NotRequired[str]
    """Revealed by the unique move."""


class Draw(Decision, Knowers):
    """A seat takes a card in hand."""

    t: Literal["draw"]
    card: str


class Place(Decision, Knowers):
    """A seat lays the card in hand into its own row, and the one that lay there fills the gap."""

    t: Literal["place"]
    slot: int
    card: str
    out: str
    to: list[int]
    """Row and slot of the gap."""


class More(Decision):
    """A seat goes on with its unique move, or ends it."""

    t: Literal["more"]


class End(Ending):
    """A series is complete, or the turns are used up."""

    t: Literal["end"]
    reason: Literal["series", "limit"]


Step = Start | Turn | Draw | Place | More | End


def typed(steps: Sequence[AnyStep]) -> Sequence[Step]:
    """Return the steps of a record by their types. Nothing is checked: records are verified."""
    return cast("Sequence[Step]", steps)

"""The steps that the two barter games share, as types; each game adds its own."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict, cast

from engine.record.types import AnyStep, Decision, Ending, Event, JointDecision
from engine.seats import Seat


class Start(Event):
    """The table is set."""

    t: Literal["start"]


class Deal(Event):
    """A round begins with a card for every seat."""

    t: Literal["deal"]


class Choose(JointDecision):
    """All choices are revealed at once."""

    t: Literal["choose"]


class Lapse(Event):
    """Nobody performs an action: three or more chose it, or both declined."""

    t: Literal["lapse"]
    action: str
    seats: list[Seat]


class BarterOpening(Event):
    """Two seats begin to barter for an action."""

    t: Literal["barter"]
    action: str
    seats: list[Seat]
    opener: Seat
    why: str
    """The key that decided who opens."""


class Offer(Decision):
    """A seat offers gems."""

    t: Literal["offer"]
    by: Literal["opening", "single", "number", "value"]
    """Why it is higher than the one before."""


class Decline(Decision):
    """A seat makes no offer."""

    t: Literal["decline"]


_Giver = TypedDict("_Giver", {"from": Seat})


class Accept(Decision, _Giver):
    """The gems on the table change hands."""

    t: Literal["accept"]
    gems: list[int]
    to: Seat


class FreeWin(Event):
    """A seat performs the action for nothing, as the opener owns no gem."""

    t: Literal["free_win"]
    seat: Seat
    action: str


class Free(Decision):
    """The free choice: a trade with the supply, or a pick from it."""

    t: Literal["free"]


class Majority(TypedDict):
    """What the majority of a colour is paid, and what it returns; a value for each seat."""

    colour: str
    paid: list[int]
    returned: list[int]


class Score(Event, Majority):
    """A colour is scored."""

    t: Literal["score"]
    bonus: NotRequired[list[int]]
    """What event cards add, in the game that has them."""


class End(Ending):
    """The match is over."""

    t: Literal["end"]


class OtherStep(Event):
    """A step that only one of the games has; its type is in that game's folder."""

    t: Literal["phase", "stage", "act", "source", "keep", "use", "certificates", "workers"]


Barter = BarterOpening | Offer | Decline | Accept | FreeWin | Lapse
BarterStep = Start | Deal | Choose | Barter | Free | Score | OtherStep | End


def typed(steps: Sequence[AnyStep]) -> Sequence[BarterStep]:
    """Return the steps of a record by their types. Nothing is checked: records are verified."""
    return cast("Sequence[BarterStep]", steps)

"""The record of a match as types. `docs/record.md` explains the fields.

Only what all games have stands here; the further fields of a game's steps and views are typed in
its own folder.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from engine.seats import Seat

Json = Any
"""A value as JSON knows it."""
View = dict[str, Json]
"""What can be seen of a position, as plain JSON. Its fields are the game's own."""
Patch = dict[str, Json]
"""What changed in a view: values by JSON pointers."""
AnyStep = Mapping[str, Json]
"""A step of any game. `Step` types what all games have, a game's `steps.py` what else it has."""
AnyRecord = Mapping[str, Json]
"""A record to be read, whoever wrote it. `Record` types its fields."""
Document = dict[str, Json]
"""A record as it is passed on: one plain JSON object."""


class SeatEntry(TypedDict):
    """Who sat in a seat."""

    name: str
    bot: str | None
    version: int | None


class FaultEntry(TypedDict):
    """How a seat misbehaved; while loading, without a step."""

    step: int | None
    seat: Seat
    code: str
    detail: str


class OutcomeEntry(TypedDict):
    """How the match ended, with the seats that forfeited behind all others."""

    placements: list[int]
    scores: list[int]
    reason: str
    forfeits: list[Seat]


class Event(TypedDict):
    """What every step has, besides `t`: a game's own types add it, and their further fields."""

    i: int
    text: str
    view: NotRequired[View]
    """Of step 0."""
    set: NotRequired[Patch]
    """Of all others."""


class Decision(Event):
    """A step in which one seat moves."""

    seat: Seat
    move: str
    ms: float
    forced: bool
    fault: NotRequired[str]
    note: NotRequired[str]


class JointDecision(Event):
    """A step in which all seats move at once: a value for each."""

    moves: list[str]
    ms: list[float]
    forced: list[bool]
    fault: list[str | None]
    note: NotRequired[list[str | None]]


class Ending(Event):
    """The last step. Whoever narrates it also learns who forfeited."""

    placements: list[int]
    scores: list[int]
    forfeits: NotRequired[list[Seat]]


Step = TypedDict(
    "Step",
    {
        "i": int,
        "t": str,
        "text": str,
        # Of step 0, and of all others.
        "view": NotRequired[View],
        "set": NotRequired[Patch],
        # Of a decision; lists if all seats decide at once.
        "seat": NotRequired[Seat],
        "move": NotRequired[str],
        "moves": NotRequired[list[str]],
        "ms": NotRequired[float | list[float]],
        "forced": NotRequired[bool | list[bool]],
        "fault": NotRequired[str | list[str | None]],
        "note": NotRequired[str | list[str | None]],
        # Which seats know the fields of hidden cards.
        "for": NotRequired[dict[str, list[Seat]]],
        # Of the last step.
        "placements": NotRequired[list[int]],
        "scores": NotRequired[list[int]],
    },
)
"""One step, whatever its kind. A field of a single game is read through that game's own types."""


class Record(TypedDict):
    """A whole match. A redacted copy has `redacted` instead of `seed` and `digest`."""

    schema: int
    game: str
    rules: str
    options: dict[str, Json]
    seed: NotRequired[str]
    seats: list[SeatEntry]
    limits: dict[str, Json] | None
    steps: list[Step]
    outcome: OutcomeEntry
    faults: list[FaultEntry]
    digest: NotRequired[str]
    redacted: NotRequired[Seat | str]

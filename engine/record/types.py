"""The record of a match as types. `docs/record.md` explains the fields.

Only what all games have stands here; the further fields of a game's steps and views are typed in
its own folder.
"""

from typing import Any, NotRequired, TypedDict

from engine.seats import Seat

View = dict[str, Any]
"""What can be seen of a position, as plain JSON. Its fields are the game's own."""
Patch = dict[str, Any]
"""What changed in a view: values by JSON pointers."""


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
        "ms": NotRequired[Any],
        "forced": NotRequired[Any],
        "fault": NotRequired[Any],
        "note": NotRequired[Any],
        # Which seats know the fields of hidden cards.
        "for": NotRequired[dict[str, list[Seat]]],
        # Of the last step.
        "placements": NotRequired[list[int]],
        "scores": NotRequired[list[int]],
    },
)
"""One step. A field of a single game is read through that game's own type of the step."""


class Record(TypedDict):
    """A whole match. A redacted copy has `redacted` instead of `seed` and `digest`."""

    schema: int
    game: str
    rules: str
    options: dict[str, Any]
    seed: NotRequired[str]
    seats: list[SeatEntry]
    limits: dict[str, Any] | None
    steps: list[Step]
    outcome: OutcomeEntry
    faults: list[FaultEntry]
    digest: NotRequired[str]
    redacted: NotRequired[Seat | str]

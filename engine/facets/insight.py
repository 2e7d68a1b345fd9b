"""What a spectator likes to know and a record does not say: it takes the rules to tell.

It is served beside the record, never in it.
"""

from typing import Generic, TypedDict, TypeVar

from engine.record.types import AnyStep
from engine.seats import Seat

S = TypeVar("S")


class Remark(TypedDict):
    """A sentence about a step. A secret one is for its seat and for those who see everything."""

    i: int
    kind: str
    seat: Seat
    text: str
    secret: bool


class Commentator(Generic[S]):
    """Watches one match and remarks on it. The default says nothing."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def watch(self, step: AnyStep, state: S) -> None:
        """Look at a step and the position after it."""

    def remark(self, i: int, kind: str, seat: Seat, text: str, *, secret: bool = False) -> None:
        """Keep a sentence for a step."""
        self.remarks.append({"i": i, "kind": kind, "seat": seat, "text": text, "secret": secret})


class Insight(Generic[S]):
    """The default knows nothing besides the record."""

    def if_scored(self, state: S) -> list[int] | None:
        """Return what every seat would have if it were scored now."""
        return None

    def is_settling(self, step: AnyStep) -> bool:
        """Return whether a scoring of its own would count things twice after this step."""
        return False

    def commentator(self) -> Commentator[S]:
        """Return somebody who watches one match."""
        return Commentator()

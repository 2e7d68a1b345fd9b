"""The insight into a recorded match: played again, and watched by the game's own commentator."""

from typing import TypedDict

from engine.facets.insight import Remark
from engine.game import Seat
from engine.record.rerun import game_of, rerun
from engine.record.types import AnyRecord, AnyStep


class MatchInsight(TypedDict):
    """What is served beside a record."""

    scored: list[list[int]] | None
    """For each step what every seat would have if it were scored now."""
    remarks: list[Remark]


NO_INSIGHT: MatchInsight = {"scored": None, "remarks": []}
"""Of a match that cannot be played again here."""


def insight(record: AnyRecord, seat: Seat | None = None) -> MatchInsight:
    """Return the insight into a match.

    `seat` is the reader of a redacted copy: whether others missed a win is not for it to know.
    """
    facet = game_of(record).insight
    commentator = facet.commentator()
    scored: list[list[int]] = []

    def look(step: AnyStep, state: object) -> None:
        if facet.is_settling(step) and scored:
            scored.append(scored[-1])
        elif (scores := facet.if_scored(state)) is not None:
            scored.append(scores)
        commentator.watch(step, state)

    rerun(record, look)
    remarks = [
        remark
        for remark in commentator.remarks
        if seat is None or not remark["secret"] or remark["seat"] == seat
    ]
    return {"scored": scored or None, "remarks": remarks}

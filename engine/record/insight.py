"""The insight into a recorded match: played again, and watched by the game's own commentator."""

from typing import NamedTuple, TypedDict

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


class Observation(NamedTuple):
    """An insight, and how much of it there was after each step."""

    insight: MatchInsight
    remark_counts: list[int]
    """For each step how many remarks were made by then, also on steps before it."""

    def until(self, count: int) -> MatchInsight:
        """Return what was known when so many steps had been made."""
        scored, remarks = self.insight["scored"], self.insight["remarks"]
        return {
            "scored": scored[:count] if scored else None,
            "remarks": remarks[: self.remark_counts[count - 1]],
        }


def observe(record: AnyRecord) -> Observation:
    """Return the insight of those who see everything, step by step."""
    facet = game_of(record).insight
    commentator = facet.commentator()
    scored: list[list[int]] = []
    remark_counts: list[int] = []

    def look(step: AnyStep, state: object) -> None:
        if facet.is_settling(step) and scored:
            scored.append(scored[-1])
        elif (scores := facet.if_scored(state)) is not None:
            scored.append(scores)
        commentator.watch(step, state)
        remark_counts.append(len(commentator.remarks))

    rerun(record, look)
    return Observation({"scored": scored or None, "remarks": commentator.remarks}, remark_counts)


def insight(record: AnyRecord, seat: Seat | None = None) -> MatchInsight:
    """Return the insight into a match.

    `seat` is the reader of a redacted copy: whether others missed a win is not for it to know.
    """
    everything = observe(record).insight
    remarks = [
        remark
        for remark in everything["remarks"]
        if seat is None or not remark["secret"] or remark["seat"] == seat
    ]
    return {"scored": everything["scored"], "remarks": remarks}

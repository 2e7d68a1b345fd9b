"""A match as a wall tells it: its steps and captions, and the table after any number of them.

A second of a premiere is worked out once for all of its viewers in a server process.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from engine.record.insight import Observation
from engine.registry import GAMES, presentation_of
from league.matches.records import codec
from league.stage.premiere import telling
from league.stage.premiere.clock import starts
from league.stage.premiere.telling import Values

MAX_STATES = 16
"""Of each show: the latest are sent again and again, others hardly ever."""


@dataclass
class Show:
    """One match. Only `steps`, `captions` and `values` up to a count may leave the server."""

    match_id: int
    title: str
    record: codec.Record
    observation: Observation
    captions: list[str]
    durations_ms: list[int]
    edition: str = ""
    """A word that changes with the record and with the names in it, and tells nothing of either."""
    _states: "OrderedDict[int, Values]" = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.starts_ms = starts(self.durations_ms)

    @property
    def last_ms(self) -> int:
        """Return where the last step begins."""
        return self.starts_ms[-1]

    def head(self) -> dict[str, Any]:
        """Return what is known before the first step."""
        record = self.record
        seats = [{"name": one["name"], "version": one.get("version")} for one in record["seats"]]
        return {
            "title": self.title,
            "game": record["game"],
            "seats": seats,
            "limits": record["limits"] is not None,
        }

    def steps(self, first: int, count: int) -> list[dict[str, Any]]:
        """Return some steps, with how long each is shown and what is told of it."""
        return [
            {"step": dict(step), "ms": ms, "caption": caption}
            for step, ms, caption in zip(
                self.record["steps"][first:count],
                self.durations_ms[first:count],
                self.captions[first:count],
                strict=True,
            )
        ]

    def values(self, count: int) -> Values:
        """Return what the table shows after so many steps."""
        with self._lock:
            state = self._states.get(count)
            if state is None:
                state = telling.values(self.record, self.observation, self.title, count)
                self._states[count] = state
                while len(self._states) > MAX_STATES:
                    self._states.popitem(last=False)
        return state


def make_show(match_id: int, record: Mapping[str, Any], edition: str = "") -> Show:
    """Return a record as it is told step by step."""
    observation = telling.observation_of(record)
    presentation = presentation_of(record["game"])
    game = GAMES.get(record["game"])
    return Show(
        match_id,
        f"{game.name if game else record['game']}, {len(record['seats'])} seats",
        dict(record),
        observation,
        telling.captions(record, observation),
        # Not sped up as a whole like a replay: the pace would tell how long the match is.
        [presentation.duration_ms(step) for step in record["steps"]],
        edition,
    )

"""A match as a wall tells it: its steps and captions, and the table after any number of them.

Kept by each server process while somebody watches, so that a second of a premiere is worked out
once for all of its viewers.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

from engine.record.ending import name_winner
from engine.record.insight import Observation
from engine.registry import GAMES, presentation_of
from league.matches.models import Match
from league.matches.records import codec, display_names
from league.stage.premiere import telling
from league.stage.premiere.clock import starts
from league.stage.premiere.telling import Values

MAX_SHOWS = 4
"""In each process: one has some megabytes."""
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


def show_of(match_id: int) -> Show | None:
    """Return a match that was played, whether it is public or not; None if there is no record."""
    match = Match.objects.select_related("record").filter(pk=match_id).first()
    if match is None or match.status != Match.Status.FINISHED or not hasattr(match, "record"):
        return None
    return _kept(_Key(match))


class _Key:
    """A match that is equal to itself as long as its record and the names in it are the same."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._key = (match.pk, match.record.digest, display_names.mark_of(match))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key


@lru_cache(maxsize=MAX_SHOWS)
def _kept(key: _Key) -> Show:
    match = key.match
    record = name_winner(codec.unpack(bytes(match.record.data)))
    return make_show(
        match.pk, display_names.with_current_names(record, match.seats.select_related("bot"))
    )


def make_show(match_id: int, record: Mapping[str, Any]) -> Show:
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
    )

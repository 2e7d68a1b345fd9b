"""A wall as one server process sees it: read at most once a second, and told to all alike."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import timezone

from league import version
from league.stage import programme, services
from league.stage.models import Stage
from league.stage.panels import Panel, panels_of
from league.stage.premiere.show import show_of
from league.stage.premiere.stream import Stream
from league.stage.walls import find_wall
from league.tournaments.models import Tournament

PANEL_SECONDS = 5.0
"""How old panels may be, unless a presenter pressed something."""
FILES = ("concatenated/wall.css", "concatenated/wall.js")


@cache
def site_version() -> str:
    """Return a word that changes when a deployment changes what walls run."""
    files = [staticfiles_storage.url(name) for name in FILES]
    return sha256(" ".join([version.karat(), *files]).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Message:
    """The state of a wall as JSON, but for the time at which it is sent."""

    body: bytes
    tag: str

    def at(self, now_ms: float) -> bytes:
        """Return the JSON with the server's time."""
        return b'{"now":%d,%s' % (now_ms, self.body[1:])


@dataclass
class Wall:
    """Reads one wall. Its caller sees to it that one thread at a time does."""

    slug: str
    _stream: Stream | None = None
    _panels: dict[str, Panel] = field(default_factory=dict)
    _panels_key: tuple[int, int] = (-1, -1)

    def read(self) -> Message:
        """Return what has to be shown now. Begins another match when it is time for one."""
        now = timezone.now()
        tournament = find_wall(self.slug, now)
        stage = services.stage_of(tournament)
        panels = self._current_panels(tournament, stage)
        self._follow(stage)
        show = self._stream.show if self._stream else None
        pane = programme.pane_at(stage, show, list(panels), now)
        if pane is None and programme.begin_next(stage, now):
            stage.refresh_from_db()
            self._follow(stage)
            pane = programme.PREMIERE
        return _message(
            {
                "version": site_version(),
                "revision": stage.revision,
                "pane": pane or _in_turn(list(panels)),
                "premiere": self._premiere(stage),
                "panels": {name: panel.digest for name, panel in panels.items()},
            }
        )

    def whole(self) -> Message:
        """Return the premiere from its first step on, as far as it is out."""
        return _message({"premiere": self._stream and self._stream_head() | self._stream.whole()})

    def _follow(self, stage: Stage) -> None:
        """Keep the stream of this take; begin one if the take is new."""
        if self._stream and (self._stream.take, self._stream.show.match_id) == _take(stage):
            return
        show = None if stage.match_id is None else show_of(stage.match_id)
        self._stream = Stream(show, stage.take) if show else None

    def _premiere(self, stage: Stage) -> dict[str, Any] | None:
        if self._stream is None:
            return None
        clock = services.clock_of(stage)
        self._stream.advance(clock, services.milliseconds(timezone.now()))
        return (
            {"position": clock.position_ms, "since": clock.since_ms, "speed": clock.speed}
            | self._stream_head()
            | self._stream.part()
        )

    def _stream_head(self) -> dict[str, Any]:
        return {"head": self._stream.show.head()} if self._stream else {}

    def _current_panels(self, tournament: Tournament | None, stage: Stage) -> dict[str, Panel]:
        age = int(timezone.now().timestamp() / PANEL_SECONDS)
        if self._panels_key != (stage.revision, age):
            self._panels = panels_of(tournament)
            self._panels_key = (stage.revision, age)
        return self._panels


def _take(stage: Stage) -> tuple[int, int | None]:
    return stage.take, stage.match_id


def _in_turn(panels: list[str]) -> str:
    """Return the panel of this moment when there is nothing else to show."""
    if not panels:
        return programme.PREMIERE
    return panels[int(timezone.now().timestamp() * 1000 // programme.PANEL_MS) % len(panels)]


def _message(content: Mapping[str, Any]) -> Message:
    body = json.dumps(content, separators=(",", ":")).encode()
    return Message(body, sha256(body).hexdigest()[:16])

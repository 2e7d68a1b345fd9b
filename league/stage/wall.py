"""A wall as one server process sees it: read at most once a second, and told to all alike."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import timezone

from league import version
from league.stage import programme, services
from league.stage.models import Stage
from league.stage.panels import Panel, panels_of
from league.stage.premiere.shows import rejecting, show_of
from league.stage.premiere.stream import Stream
from league.stage.walls import find_wall
from league.tournaments.models import Tournament

RENEWAL_SECONDS = 5.0
"""How old panels and the match may be, unless a presenter pressed something."""
Period = tuple[int, int, int | None, int]
"""Changes, takes, the match, and the time in units of these seconds."""
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
    panels: dict[str, Panel] = field(default_factory=dict)
    """What `read` said, ready to be sent."""
    _stream: Stream | None = None
    _period: Period | None = None
    _had_nothing_in: Period | None = None

    def read(self) -> Message:
        """Return what has to be shown now. Begins another match when it is time for one."""
        now = timezone.now()
        tournament = find_wall(self.slug, now)
        stage = services.stage_of(tournament)
        self._look_around(tournament, stage, now)
        show = self._stream.show if self._stream else None
        pane = programme.pane_at(stage, show, list(self.panels), now)
        if pane is None and self._begin_next(stage, now):
            pane = programme.PREMIERE
        return _message(
            {
                "version": site_version(),
                "revision": stage.revision,
                "pane": pane or _in_turn(list(self.panels)),
                "premiere": self._premiere(stage),
                "panels": {name: panel.digest for name, panel in self.panels.items()},
            }
        )

    def whole(self) -> Message:
        """Return the premiere from its first step on, as far as it is out."""
        premiere = None
        if self._stream:
            with rejecting(self._stream.show):
                premiere = {"head": self._stream.show.head()} | self._stream.whole()
        return _message({"premiere": premiere})

    def _look_around(self, tournament: Tournament | None, stage: Stage, now: datetime) -> None:
        """Renew what seldom changes: a match may be void by now, or a bot have another name."""
        period = _period_of(stage, now)
        if period != self._period:
            self.panels = panels_of(tournament, self.panels)
            self._follow(stage)
            self._period = period

    def _follow(self, stage: Stage) -> None:
        """Keep the stream of this take; begin one if the take is new."""
        show = None if stage.match_id is None else show_of(stage.match_id)
        if show is None:
            self._stream = None
            return
        take = f"{stage.take}-{show.edition}"
        if self._stream is None or self._stream.take != take:
            self._stream = Stream(show, take)

    def _begin_next(self, stage: Stage, now: datetime) -> bool:
        """Begin another match; look for one again after a while if there was none."""
        if self._had_nothing_in == self._period:
            return False
        if not programme.begin_next(stage):
            self._had_nothing_in = self._period
            return False
        stage.refresh_from_db()
        self._follow(stage)
        self._period = _period_of(stage, now)
        return True

    def _premiere(self, stage: Stage) -> dict[str, Any] | None:
        if self._stream is None:
            return None
        clock = services.clock_of(stage)
        with rejecting(self._stream.show):
            self._stream.advance(clock, services.milliseconds(timezone.now()))
            return (
                {"position": clock.position_ms, "since": clock.since_ms, "speed": clock.speed}
                | {"head": self._stream.show.head()}
                | self._stream.part()
            )
        self._stream = None
        return None


def _period_of(stage: Stage, now: datetime) -> Period:
    age = int(now.timestamp() / RENEWAL_SECONDS)
    return stage.revision, stage.take, stage.match_id, age


def _in_turn(panels: list[str]) -> str:
    """Return the panel of this moment when there is nothing else to show."""
    if not panels:
        return programme.PREMIERE
    return panels[int(timezone.now().timestamp() * 1000 // programme.PANEL_MS) % len(panels)]


def _message(content: Mapping[str, Any]) -> Message:
    body = json.dumps(content, separators=(",", ":")).encode()
    return Message(body, sha256(body).hexdigest()[:16])

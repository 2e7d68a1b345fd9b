"""Templates to start from: the values a new tournament begins with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from league.matches.game_options import initial_options
from league.tournaments.models import Tournament

FRIDAY = 4
SUNDAY = 6
_CHOICES = ("seats", "deals", "mirrored", "rounds", "advance", "points")
_TERMS = ("about", "rated", "max_entries", "per_user", "invite_code", "no_provisional", "versions")


@dataclass(frozen=True, slots=True)
class Preset:
    """A tournament as one would hold it."""

    slug: str
    name: str
    about: str
    game: str
    config: Mapping[str, Any]
    hour: int = 18
    minute: int = 30
    weekday: int | None = None
    repeat: str = "once"

    def values(self, now: datetime) -> dict[str, Any]:
        """What the fields of the form begin with."""
        starts_at = self._next(now)
        return {
            "name": self.name,
            "about": self.about,
            "game": self.game,
            **self.config,
            "repeat": self.repeat,
            "starts_at": starts_at.strftime("%Y-%m-%dT%H:%M"),
            "locks_at": (starts_at - timedelta(minutes=30)).strftime("%Y-%m-%dT%H:%M"),
        }

    def _next(self, now: datetime) -> datetime:
        """The next such day that leaves some hours to enter."""
        at = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        while at < now + timedelta(hours=2) or self.weekday not in {None, at.weekday()}:
            at += timedelta(days=1)
        return at


PRESETS = {
    preset.slug: preset
    for preset in (
        Preset(
            "friday-cup",
            "Friday Cup",
            "Every Friday evening: five rounds of Edel, Stein & Reich.",
            "edel-stein-reich",
            {"format": "swiss", "seats": 4, "rounds": 5, "deals": 12, "mirrored": True},
            weekday=FRIDAY,
            repeat="weekly",
        ),
        Preset(
            "basari-open",
            "Basari Open",
            "Groups and knock-out on Sunday afternoon: the best two of each table go on.",
            "basari",
            {"format": "knockout", "seats": 4, "advance": 2, "deals": 6, "mirrored": True},
            hour=15,
            minute=0,
            weekday=SUNDAY,
        ),
        Preset(
            "memory-night",
            "Memory Night",
            "The tournament play of the rules: a series of games, the fewest penalty points win.",
            "edelsteinsuche",
            {"format": "series", "seats": 3, "rounds": 3, "deals": 6, "mirrored": False},
            hour=19,
            minute=0,
        ),
        Preset(
            "round-robin",
            "Everybody Meets",
            "A whole round robin with duplicate deals: the fairest answer, and the longest.",
            "edel-stein-reich",
            {"format": "round-robin", "seats": 3, "deals": 2, "mirrored": True},
        ),
    )
}
DEFAULT = PRESETS["friday-cup"]


def fresh(now: datetime) -> dict[str, Any]:
    """What an empty form begins with: the choices of the Friday Cup, once, without its name."""
    return DEFAULT.values(now) | {"name": "", "about": "", "repeat": "once"}


def like(tournament: Tournament, now: datetime) -> dict[str, Any]:
    """The values of an earlier tournament, to hold it again."""
    config = tournament.config
    points = ", ".join(map(str, config.get("points") or []))
    return fresh(now) | {
        "name": tournament.name,
        "game": tournament.game,
        "format": config["format"],
        **{name: config[name] for name in _CHOICES if name in config},
        "points": points,
        **initial_options(tournament.game, tournament.options),
        **{name: getattr(tournament, name) for name in _TERMS},
        "best_of_ladder": tournament.best_of_ladder or None,
    }


def draft(tournament: Tournament) -> dict[str, Any]:
    """The values of a draft, to change it, in its own time zone."""
    return like(tournament, tournament.created_at) | dates(tournament)


def dates(tournament: Tournament) -> dict[str, Any]:
    """Its dates as the fields of a form have them, in its own time zone."""
    zone = ZoneInfo(tournament.zone)
    times = {
        name: getattr(tournament, name).astimezone(zone).strftime("%Y-%m-%dT%H:%M")
        for name in ("starts_at", "locks_at")
    }
    return times | {"zone": tournament.zone}

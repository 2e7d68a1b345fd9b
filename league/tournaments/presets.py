"""Templates to start from: the values with which the form of a new tournament begins.

There is one for each format and one for an event night, each with a registered game that suits it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from engine.game import Game
from engine.penalty import BEHIND_BEST
from engine.registry import GAMES
from league.matches.game_options import initial_options
from league.tournaments.forms.fields import MOMENT_FORMAT
from league.tournaments.models import Tournament
from league.tournaments.planning.formats import KNOCKOUT, ROUND_ROBIN, SERIES, SWISS
from league.tournaments.sealing.terms import FIELDS as EVENT_FIELDS

FRIDAY = 4
SUNDAY = 6
USUAL_SEATS = 4
_CHOICES = ("seats", "deals", "mirrored", "rounds", "advance", "points")
_TERMS = ("about", "rated", "max_entries", "per_user", "invite_code", "no_provisional", "versions")


@dataclass(frozen=True, slots=True)
class Preset:
    """A complete tournament, named after its format."""

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
        """Return the initial values of the form."""
        starts_at = self._next_date(now)
        return {
            "name": self.name,
            "about": self.about,
            "game": self.game,
            **self.config,
            "repeat": self.repeat,
            "starts_at": starts_at.strftime(MOMENT_FORMAT),
            "locks_at": (starts_at - timedelta(minutes=30)).strftime(MOMENT_FORMAT),
        }

    def _next_date(self, now: datetime) -> datetime:
        """Return the next such day that leaves some hours to enter."""
        at = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        while at < now + timedelta(hours=2) or self.weekday not in {None, at.weekday()}:
            at += timedelta(days=1)
        return at


def presets() -> list[Preset]:
    """Return a preset for each format, and one for an event night; the first one has the default
    choices.
    """
    first, second, series = _first_game(), _second_game(), _series_game()
    return [
        Preset(
            "weekly-swiss",
            "Friday Swiss",
            f"Five rounds of {first.name}, every Friday evening.",
            first.slug,
            {
                "format": SWISS.slug,
                "seats": _seats(first),
                "rounds": 5,
                "deals": 12,
                "mirrored": True,
            },
            weekday=FRIDAY,
            repeat="weekly",
        ),
        Preset(
            "knockout",
            "Sunday Knock-out",
            f"Groups and knock-out in {second.name}: the best of each table advance.",
            second.slug,
            {
                "format": KNOCKOUT.slug,
                "seats": _seats(second),
                "advance": max(1, _seats(second) // 2),
                "deals": 6,
                "mirrored": True,
            },
            hour=15,
            minute=0,
            weekday=SUNDAY,
        ),
        Preset(
            "series",
            "Series Night",
            f"A series of {series.name}: the fewest penalty points win.",
            series.slug,
            {
                "format": SERIES.slug,
                "seats": _seats(series),
                "rounds": 3,
                "deals": 2 * _seats(series),
                "mirrored": False,
            },
            hour=19,
            minute=0,
        ),
        Preset(
            "round-robin",
            "Round Robin",
            f"Everybody meets everybody in {first.name}, with duplicate deals:"
            " the fairest format, and the longest.",
            first.slug,
            {"format": ROUND_ROBIN.slug, "seats": min(first.seats), "deals": 2, "mirrored": True},
        ),
        Preset(
            "event-night",
            "Event Night",
            f"Three rounds of {first.name}, revealed one by one in front of everybody.",
            first.slug,
            {
                "format": SWISS.slug,
                "seats": _seats(first),
                "rounds": 3,
                "deals": 4,
                "mirrored": False,
                "sealed_from": 1,
            },
            hour=19,
        ),
    ]


def find(slug: str) -> Preset | None:
    """Return the preset of this slug."""
    return next((preset for preset in presets() if preset.slug == slug), None)


def defaults(now: datetime) -> dict[str, Any]:
    """Return the values of an empty form: the choices of the first preset, once, without a name."""
    return presets()[0].values(now) | {"name": "", "about": "", "repeat": "once"}


def copy_of(tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Return the values of an earlier tournament, to hold it again."""
    config = tournament.config
    points = ", ".join(map(str, config.get("points") or []))
    return defaults(now) | {
        "name": tournament.name,
        "game": tournament.game,
        "format": config["format"],
        **{name: config[name] for name in _CHOICES if name in config},
        "points": points,
        **initial_options(tournament.game, tournament.options),
        **{name: getattr(tournament, name) for name in _TERMS},
        "best_of_ladder": tournament.best_of_ladder or None,
        **{name: getattr(tournament, name) for name in EVENT_FIELDS},
        "sealed_from": tournament.sealed_from or None,
    }


def values_of(tournament: Tournament) -> dict[str, Any]:
    """Return the values of a tournament, to change it."""
    return copy_of(tournament, tournament.created_at) | dates(tournament)


def dates(tournament: Tournament) -> dict[str, Any]:
    """Return its dates as a form has them, in its own time zone."""
    zone = ZoneInfo(tournament.zone)
    times = {
        name: getattr(tournament, name).astimezone(zone).strftime(MOMENT_FORMAT)
        for name in ("starts_at", "locks_at")
    }
    return times | {"zone": tournament.zone}


def _first_game() -> Game:
    return next(iter(GAMES.values()))


def _second_game() -> Game:
    return list(GAMES.values())[:2][-1]


def _series_game() -> Game:
    """Return the first game that states its own penalty points, or the first of all."""
    own = (game for game in GAMES.values() if game.penalty is not BEHIND_BEST)
    return next(own, _first_game())


def _seats(game: Game) -> int:
    """Return the size of its tables that is nearest to the usual one."""
    return min(game.seats, key=lambda seats: (abs(seats - USUAL_SEATS), seats))

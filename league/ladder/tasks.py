"""What the control process does for the ladders, again and again. Twice does no harm."""

from collections.abc import Callable
from functools import partial
from math import inf

from engine.games import GAMES
from league import hints
from league.bots import checks
from league.control import heartbeat
from league.control.work import MAX_SECONDS, do_each, portion
from league.ladder import rating, services
from league.matches import fleet, services as matches


def tick() -> None:
    """Look for everything that was forgotten, let newcomers in, and keep the ladders playing."""
    with heartbeat.noting("ladder") as done:
        services.ensure()
        steps: list[Callable[[], object]] = [
            _sweep,
            services.enrol,
            *(partial(_play_on, game, done) for game in GAMES),
        ]
        do_each(portion(steps, inf))


def _sweep() -> None:
    waiting = checks.sweep() + matches.sweep()
    for _ in range(min(waiting, fleet.capacity())):
        hints.look()


def _play_on(game: str, done: dict[str, int]) -> None:
    done[game] = rating.rate(game, MAX_SECONDS)
    services.fill(game)

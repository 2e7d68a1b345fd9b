"""What the control process does for the ladders, again and again. A repetition does no harm."""

from collections.abc import Callable
from functools import partial
from math import inf

from engine.registry import GAMES
from league.bots import checks
from league.control import heartbeat
from league.control.work import MAX_SECONDS, do_each, portion
from league.jobs import wake
from league.ladder import services
from league.ladder.ratings import writer
from league.playground import services as playground
from league.workers import fleet
from league.workers.sweep import sweep


def tick() -> None:
    """Give back abandoned jobs, enter new bots, and keep the ladders playing."""
    with heartbeat.noting("ladder") as done:
        services.ensure()
        steps: list[Callable[[], object]] = [
            _sweep,
            services.enrol,
            *(partial(_play_on, game, done) for game in GAMES),
        ]
        do_each(portion(steps, inf))


def _sweep() -> None:
    waiting = checks.sweep() + playground.sweep() + sweep()
    for _ in range(min(waiting, fleet.capacity())):
        wake.workers()


def _play_on(game: str, done: dict[str, int]) -> None:
    done[game] = writer.rate(game, MAX_SECONDS)
    services.fill(game)

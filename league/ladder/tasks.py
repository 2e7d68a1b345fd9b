"""What the control process does for the ladders, again and again. A repetition does no harm."""

from collections.abc import Callable
from functools import partial
from math import inf

from engine.registry import GAMES
from league.bots import checks
from league.bots.models import BotVersion
from league.control import heartbeat
from league.control.glance import Glance, Selections
from league.control.work import MAX_SECONDS, do_each, portion
from league.jobs import leases, wake
from league.ladder import services
from league.ladder.ratings import writer
from league.matches.models import Match
from league.playground import services as playground
from league.playground.models import PlaygroundRun
from league.workers import fleet
from league.workers.sweep import sweep

_JOBS, _NEWCOMERS = "jobs", "newcomers"


def _selections() -> Selections:
    jobs = {
        "versions": BotVersion.objects.waiting(),
        "runs": PlaygroundRun.objects.waiting(),
        "matches": Match.objects.queued(),
        **{f"lapsed {model}": leases.lapsed(model) for model in (BotVersion, PlaygroundRun, Match)},
    }
    newcomers = {"bots": services.newcomers(), "starts": services.unrated_versions()}
    return (
        {f"{_JOBS}: {name}": rows for name, rows in jobs.items()}
        | {f"{_NEWCOMERS}: {name}": rows for name, rows in newcomers.items()}
        | {game: Match.objects.unrated(game) for game in GAMES}
    )


_glance = Glance(_selections)


def tick() -> None:
    """Give back abandoned jobs, enter new bots, and keep the ladders playing."""
    with heartbeat.noting("ladder") as done:
        due = _glance.look()
        kinds = {name.partition(":")[0] for name in due}
        steps: list[Callable[[], object]] = []
        if _JOBS in kinds:
            steps.append(_sweep)
        if _NEWCOMERS in kinds:
            steps += [services.ensure, services.enrol]
        do_each(portion([*steps, partial(_play_on, due, done)], inf))


def _sweep() -> None:
    waiting = checks.sweep() + playground.sweep() + sweep()
    for _ in range(min(waiting, fleet.capacity())):
        wake.workers()


def _play_on(unrated: set[str], done: dict[str, int]) -> None:
    """Rate what was finished, and queue matches for the ladders that are not at rest."""
    at_rest = services.at_rest() - unrated
    games = [game for game in GAMES if game not in at_rest]
    do_each(portion((partial(_continue, game, game in unrated, done) for game in games), inf))


def _continue(game: str, unrated: bool, done: dict[str, int]) -> None:
    if unrated:
        done[game] = writer.rate(game, MAX_SECONDS)
    services.fill(game)

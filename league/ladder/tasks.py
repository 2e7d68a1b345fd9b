"""Messages for the control process. All may come never, once or twice."""

from math import inf

from celery import shared_task

from engine.games import GAMES
from league import hints
from league.bots import checks
from league.control import heartbeat
from league.control.work import MAX_SECONDS, portion
from league.ladder import proof, rating, services
from league.matches import services as matches


@shared_task
def rate(game: str) -> None:
    """Rate what finished."""
    rating.rate(game, MAX_SECONDS)


@shared_task
def prove(game: str) -> None:
    """Compute all ratings of a ladder anew, if somebody asked, and remember what came out."""
    proof.run(game)


@shared_task
def tick() -> None:
    """Look for everything that was forgotten, let newcomers in, and keep the ladders playing."""
    with heartbeat.noting("ladder") as done:
        waiting = checks.sweep() + matches.sweep()
        for _ in range(min(waiting, services.capacity())):
            hints.look()
        services.ensure()
        services.enrol()
        for game in portion(GAMES, inf):
            done[game] = rating.rate(game, MAX_SECONDS)
            services.fill(game)

"""What the control process does for the ladders, again and again. Twice does no harm."""

from math import inf

from engine.games import GAMES
from league import hints
from league.bots import checks
from league.control import heartbeat
from league.control.work import MAX_SECONDS, portion
from league.ladder import proof, rating, services
from league.matches import services as matches


def prove() -> None:
    """Compute the ratings anew of every ladder for which staff asked, and keep what came out."""
    for game in GAMES:
        proof.run(game)


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

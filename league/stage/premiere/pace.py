"""How fast a wall that runs by itself shows matches. That follows from the game and the number of
seats alone: a pace that followed from the match would tell how long it is.
"""

import logging
from functools import lru_cache
from statistics import median

from engine.registry import GAMES, presentation_of
from league.stage.premiere.clock import SPEEDS, starts
from runners.match import play
from runners.players import RandomPlayer

USUAL_MS = 175_000
"""Games that usually take longer are shown faster, so that there is time for another match."""
MAX_AUTO_SPEED = 4.0
SAMPLE_COUNT = 3
_log = logging.getLogger(__name__)


@lru_cache(maxsize=64)
def auto_speed(game: str, seats: int) -> float:
    """Return the lowest speed at which a match of random moves is usually short enough."""
    if game not in GAMES:
        return 1.0
    try:
        usual_ms = median(_sample_ms(game, seats, number) for number in range(SAMPLE_COUNT))
    except Exception:
        # Games come from outside; one that fails here can still be shown.
        _log.exception("no match of %s with %s seats could be played", game, seats)
        return 1.0
    speeds = (speed for speed in SPEEDS if 1.0 <= speed < MAX_AUTO_SPEED)
    return next((speed for speed in speeds if usual_ms <= USUAL_MS * speed), MAX_AUTO_SPEED)


def _sample_ms(game: str, seats: int, number: int) -> float:
    """Return how long a match of random moves takes at speed 1."""
    players = [RandomPlayer(f"sample {number}, seat {seat}") for seat in range(seats)]
    record = play(GAMES[game], players, f"sample {number}", recorded=True).record
    assert record is not None
    presentation = presentation_of(game)
    return starts([presentation.duration_ms(step) for step in record["steps"]])[-1]

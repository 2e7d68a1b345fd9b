"""How a worker comes back that was set aside: it tries itself, and waits longer each time it must.

Boxes are started here, so this runs where matches are played, in the main thread of the process.
"""

import logging
from collections.abc import Callable

from django.conf import settings

from engine.registry import GAMES
from league.workers import fleet
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.match import play

log = logging.getLogger(__name__)

GAME = "edelsteinsuche"
SEED = "self-test"
BOT = """
from bots_sdk import Bot

class Plain(Bot):
    def decide(self, view, options):
        return options[0]
"""


def retest_if_due(name: str, walls_hold: Callable[[], bool]) -> bool:
    """Test a worker that is set aside and has waited long enough. Return whether it is released."""
    if not fleet.claim_retest(name):
        return False
    if not walls_hold():
        log.error("worker %s stays set aside: its walls do not hold", name)
    elif trouble := _trouble_in_a_match():
        log.error("worker %s stays set aside: %s", name, trouble)
    elif fleet.release(name):
        log.warning("worker %s passed its self-test and takes matches again", name)
        return True
    return False


def _trouble_in_a_match() -> str | None:
    """Play a match of plain bots in boxes, within the limits of the league; what went wrong."""
    seats = GAMES[GAME].seats[0]
    try:
        with boxed_players([BOT] * seats, SEED, settings.LIMITS) as players:
            played = play(GAMES[GAME], players, SEED)
    except InfrastructureError as failure:
        return f"its test match failed: {failure}"
    for fault in played.faults:
        return f"in its test match a plain bot was at fault: {fault.code} {fault.detail}"
    return None

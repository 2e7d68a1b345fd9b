"""The self-test that ends the quarantine of a worker; each time it fails, the worker waits longer.

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

SEED = "self-test"
BOT = """
from bots_sdk import Bot

class Plain(Bot):
    def decide(self, view, options):
        return options[0]
"""


def retest_if_due(name: str, walls_hold: Callable[[], bool]) -> bool:
    """Test a quarantined worker that has waited long enough. Return whether it is released."""
    if not fleet.claim_retest(name):
        return False
    if not walls_hold():
        log.error("worker %s stays in quarantine: its sandbox does not hold", name)
    elif problem := _play_test_match():
        log.error("worker %s stays in quarantine: %s", name, problem)
    elif fleet.release(name):
        log.warning("worker %s passed its self-test and takes jobs again", name)
        return True
    return False


def _play_test_match() -> str | None:
    """Play a match of plain bots in boxes, within the limits of the league. Return what failed."""
    # The game with the smallest table needs the fewest boxes.
    game = min(GAMES.values(), key=lambda game: min(game.seats))
    try:
        with boxed_players([BOT] * min(game.seats), SEED, settings.LIMITS) as players:
            result = play(game, players, SEED)
    except InfrastructureError as error:
        return f"its test match failed: {error}"
    for fault in result.faults:
        return f"in its test match a plain bot was at fault: {fault.code} {fault.detail}"
    return None

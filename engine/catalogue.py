"""What a program that knows no rules needs to draw a game: its name, cards and fixed numbers."""

from typing import Any

from engine.barter.gems import VALUE
from engine.game import Game
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD
from engine.games.basari.state import STAGES
from engine.games.edel_stein_reich.cards import FIRST_CERTIFICATES, SECOND_CERTIFICATES
from engine.games.edel_stein_reich.rules import LOW_SUPPLY
from engine.games.edel_stein_reich.state import PHASES, ROUNDS
from engine.games.edelsteinsuche.cards import NAMES, SERIES

_NUMBERS: dict[str, dict[str, Any]] = {
    "edel-stein-reich": {
        "values": list(VALUE),
        "phases": PHASES,
        "rounds": ROUNDS,
        "low_supply": LOW_SUPPLY,
        "certificates": [FIRST_CERTIFICATES, SECOND_CERTIFICATES],
    },
    "basari": {
        "values": list(VALUE),
        "stages": STAGES,
        "workers": ENOUGH_WORKERS,
        "award": WORKER_AWARD,
    },
    "edelsteinsuche": {"series": SERIES, "gems": NAMES},
}


def catalogue(game: Game) -> dict[str, Any]:
    """Plain JSON that is the same for every match of a game."""
    return {
        "game": game.slug,
        "name": game.name,
        "cards": {card: dict(shown) for card, shown in game.catalogue.items()},
        "numbers": _NUMBERS.get(game.slug, {}),
    }

"""All games there are. Adding one is a folder and a line here."""

from engine.basari import GAME as BASARI
from engine.edel_stein_reich import GAME as EDEL_STEIN_REICH
from engine.edelsteinsuche import GAME as EDELSTEINSUCHE
from engine.game import BadSetup, Game

GAMES: dict[str, Game] = {game.slug: game for game in (EDEL_STEIN_REICH, BASARI, EDELSTEINSUCHE)}


def find(slug: str) -> Game:
    """The game of this name, or `BadSetup`."""
    if slug not in GAMES:
        raise BadSetup(f"There is no game {slug!r}; there are {', '.join(GAMES)}.")
    return GAMES[slug]

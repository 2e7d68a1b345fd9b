"""All games there are. Adding one is a folder and a line here."""

from engine.game import BadSetup, Game
from engine.games.basari import GAME as BASARI
from engine.games.edel_stein_reich import GAME as EDEL_STEIN_REICH
from engine.games.edelsteinsuche import GAME as EDELSTEINSUCHE

GAMES: dict[str, Game] = {game.slug: game for game in (EDEL_STEIN_REICH, BASARI, EDELSTEINSUCHE)}


def find(slug: str) -> Game:
    """The game of this name, or `BadSetup`."""
    if slug not in GAMES:
        raise BadSetup(f"There is no game {slug!r}; there are {', '.join(GAMES)}.")
    return GAMES[slug]

"""What a program that knows no rules needs to draw a game: its name, cards and fixed numbers."""

from typing import Any

from engine.game import Game


def catalogue(game: Game) -> dict[str, Any]:
    """Return plain JSON that is the same for every match of a game."""
    return {
        "game": game.slug,
        "name": game.name,
        "cards": {card: dict(face) for card, face in game.catalogue.items()},
        "numbers": dict(game.presentation.numbers),
    }

"""What a program that knows no rules needs to draw a game: its name, cards and fixed numbers."""

from engine.game import Game, Json


def catalogue(game: Game) -> dict[str, Json]:
    """Return plain JSON that is the same for every match of a game."""
    return {
        "game": game.slug,
        "name": game.name,
        "cards": {card: dict(face) for card, face in game.catalogue.items()},
        "numbers": dict(game.presentation.numbers),
    }

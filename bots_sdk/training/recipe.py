"""What a training of a game needs to know: whom to imitate, whom to play, how large to become.

The kit of a game has its recipe in `training.py`; a game without one gets the plainest.
"""

from dataclasses import dataclass
from importlib import import_module

from bots_sdk import house
from bots_sdk.rl.discovery import find_encoding
from bots_sdk.rl.encoding import Encoding
from runners.plugins.discovery import kits

MODULE = "training"
"""The module of a kit that holds its recipe, as `RECIPE`."""


@dataclass(frozen=True)
class Recipe:
    """How the network of one game is trained."""

    teacher: str
    """The house bot that is imitated first."""
    opponents: tuple[str, ...]
    """The house bots at the tables, each as often as it is named."""
    bot: str | None = None
    """The house bot that plays the network: a bundle whose Python files the result gets."""
    encoding: Encoding | None = None
    """What the network sees, if it is not the encoding of the game."""
    hidden: tuple[int, ...] = (128, 64)
    """The sizes of the layers between the first and the last."""
    lessons: int = 800
    """Matches of the teacher."""
    epochs: int = 8
    """How often the lessons are gone through."""
    rounds: int = 150
    """Improvements; before each of them `matches` are played."""
    matches: int = 64
    learning_rate: float = 7e-4
    """Of the first round; it shrinks to a tenth."""


def find_recipe(game: str) -> Recipe:
    """Return the recipe of a game."""
    kit = kits()[game]
    if (kit.folder / f"{MODULE}.py").is_file():
        recipe = import_module(f"{kit.package}.{MODULE}").RECIPE
        assert isinstance(recipe, Recipe)
        return recipe
    names = tuple(house.names(game))
    if not names:
        raise LookupError(f"{game} has no house bots to learn from, and no {MODULE}.py.")
    return Recipe(teacher=names[0], opponents=names)


def encoding_of(game: str, recipe: Recipe) -> Encoding:
    """Return what the network of a recipe sees."""
    return recipe.encoding or find_encoding(game)

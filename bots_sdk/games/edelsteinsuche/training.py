"""How the network of Edelsteinsuche is trained."""

from bots_sdk.games.edelsteinsuche.rl import OWN_GEM_FIRST
from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    teacher="hedwig",
    opponents=("greedy", "hedwig", "magpie"),
    encoding=OWN_GEM_FIRST,
    hidden=(128, 64),
    lessons=3000,
    matches=128,
)

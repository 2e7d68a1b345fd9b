"""How the network of Edelsteinsuche is trained."""

from bots_sdk.games.edelsteinsuche.rl import OWN_GEM_FIRST
from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    bot="waldi",
    teacher="hedwig",
    opponents=("greedy", "hedwig", "magpie"),
    encoding=OWN_GEM_FIRST,
    lessons=3000,
    rounds=90,
    matches=128,
)

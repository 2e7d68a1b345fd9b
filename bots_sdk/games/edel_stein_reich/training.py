"""How the network of Edel, Stein & Reich is trained."""

from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    teacher="ottilie",
    opponents=("greedy", "greedy", "ottilie", "zita"),
    hidden=(128, 64),
)

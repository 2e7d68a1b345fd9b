"""How the network of Edel, Stein & Reich is trained."""

from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    bot="emil",
    teacher="ottilie",
    opponents=("greedy", "greedy", "ottilie", "zita"),
    lessons=600,
    rounds=120,
)

"""How the network of Basari is trained."""

from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    teacher="leila",
    opponents=("greedy", "greedy", "leila", "samira"),
    hidden=(128, 64),
)

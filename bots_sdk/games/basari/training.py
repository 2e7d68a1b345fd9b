"""How the network of Basari is trained."""

from bots_sdk.training.recipe import Recipe

RECIPE = Recipe(
    bot="yusuf",
    teacher="leila",
    opponents=("greedy", "greedy", "leila", "samira"),
    rounds=160,
)

"""The part of the SDK that bots find in the box. Kits add the files of their games."""

from runners.plugins.kit import Sdk

SDK = Sdk(
    package="bots_sdk",
    entry="bots_sdk.bot",
    in_box=(
        *("__init__.py", "bot.py", "offers.py", "decisions.py", "games/__init__.py"),
        *("barter/__init__.py", "barter/bots.py", "barter/rl.py", "barter/views.py"),
        *("rl/__init__.py", "rl/encoding.py", "rl/features.py", "rl/legal.py", "rl/lookups.py"),
        *("rl/network.py", "rl/turn.py"),
        *("search/__init__.py", "search/determinised.py", "search/equilibrium.py"),
        *("search/habits.py", "search/haggling.py", "search/holdings.py", "search/prices.py"),
    ),
)

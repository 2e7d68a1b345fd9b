"""The kit as the league and the `karat` command read it."""

from runners.plugins.kit import Kit

KIT = Kit(
    slug="basari",
    package="bots_sdk.games.basari",
    base="BasariBot",
    short_name="Basari",
    in_box=("__init__.py", "bot.py", "rl.py"),
)

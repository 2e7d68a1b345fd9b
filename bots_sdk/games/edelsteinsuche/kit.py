"""The kit as the league and the `karat` command read it."""

from runners.plugins.kit import Kit

KIT = Kit(
    slug="edelsteinsuche",
    package="bots_sdk.games.edelsteinsuche",
    base="EdelsteinsucheBot",
    short_name="Suche",
    in_box=("__init__.py", "bot.py", "moves.py", "rl.py"),
)

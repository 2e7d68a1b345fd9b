"""The kit as the league and the `karat` command read it."""

from runners.plugins.kit import Kit

KIT = Kit(
    slug="edel-stein-reich",
    package="bots_sdk.games.edel_stein_reich",
    base="EdelSteinReichBot",
    short_name="ESR",
    in_box=("__init__.py", "bot.py", "rl.py"),
)

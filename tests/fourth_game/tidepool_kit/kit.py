"""The kit as the league and the `karat` command read it."""

from runners.plugins.kit import Kit

KIT = Kit(
    slug="tidepool",
    package="tidepool_kit",
    base="TidepoolBot",
    short_name="Tidepool",
    in_box=("__init__.py", "bot.py"),
)

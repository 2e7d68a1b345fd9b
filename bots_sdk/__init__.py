"""What an author of bots needs, and the `karat` command."""

from bots_sdk.bot import Bot, View

__all__ = ["Bot", "View"]

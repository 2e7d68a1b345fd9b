"""The user's own bots in a league, by name or as in their addresses."""

from dataclasses import dataclass

from bots_sdk.cli.output import answer_no, suggest
from bots_sdk.client.api import Client


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of the owner of the key."""

    name: str
    slug: str


def own_bots(client: Client) -> list[OwnBot]:
    """Return the bots of the owner of the key."""
    bots = client.me().get("bots") or []
    return [OwnBot(str(bot.get("name")), str(bot["slug"])) for bot in bots if _is_bot(bot)]


def _is_bot(bot: object) -> bool:
    return isinstance(bot, dict) and "slug" in bot


def find_own_bot(client: Client, word: str) -> OwnBot:
    """Return the bot that is meant: as in its address, or its name in any case; or answer no."""
    bots = own_bots(client)
    by_address = [bot for bot in bots if bot.slug == word]
    by_name = [bot for bot in bots if bot.name.casefold() == word.casefold()]
    if not (matching := by_address or by_name):
        slugs = [bot.slug for bot in bots]
        known = f"you have {', '.join(slugs)}" if slugs else "you have none yet"
        words = [*slugs, *(bot.name for bot in bots)]
        answer_no(f"You have no bot {word!r}; {known}.{suggest(word, words)}")
    return matching[0]

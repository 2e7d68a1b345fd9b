"""All cards of a game as pictures, made from its catalogue. They need the sprite, and no script.

The kit of a game may bring `cards.py` with a function `card_groups(catalogue)`, which returns
groups of pictures made by the helpers here. Without one the cards are listed with their facts.
"""

from collections.abc import Callable, Mapping
from html import escape
from importlib import import_module
from typing import Any, NamedTuple

from engine.barter.narration import gems as gems_in_words
from engine.game import Game
from runners.plugins.discovery import kits

Card = Mapping[str, Any]
Catalogue = Mapping[str, Card]
CUTS = "rygb"
"""The cuts of the gems in a vector: red, yellow, green, blue. `o` is the opal's."""


class Group(NamedTuple):
    """Cards that lie together, such as all gem cards."""

    title: str
    about: str
    pictures: list[str]


def card_groups(game: Game) -> list[Group]:
    """Return the pictures of every card, group by group."""
    if not game.catalogue:
        return [Group("Cards", "This game has no cards.", [])]
    draw = _own_groups(game.slug)
    return draw(game.catalogue) if draw else [_plain_group(game)]


def _own_groups(slug: str) -> Callable[[Catalogue], list[Group]] | None:
    kit = kits().get(slug)
    if kit is None or not (kit.folder / "cards.py").exists():
        return None
    draw: Callable[[Catalogue], list[Group]] = import_module(f"{kit.package}.cards").card_groups
    return draw


def _plain_group(game: Game) -> Group:
    pictures = [
        picture([card], game.presentation.card_title(card), _facts(facts))
        for card, facts in game.catalogue.items()
    ]
    return Group("Cards", f"All {len(pictures)} cards.", pictures)


def _facts(card: Card) -> str:
    """Return what is on a card, line by line."""
    lines = "<br>".join(escape(f"{name.replace('_', ' ')}: {_words(card[name])}") for name in card)
    return f"<p>{lines}</p>"


def _words(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def gem(cut: str) -> str:
    """Return the picture of one gem."""
    return (
        f'<svg class="kv-gem kv-gem-{cut} kv-onpaper" width="24" height="24" viewBox="0 0 24 24" '
        f'aria-hidden="true"><use href="#gem-{cut}"/></svg>'
    )


def gem_row(vector: list[int]) -> str:
    """Return gems as pictures, and in words for everybody: colours need not be seen."""
    pictures = "".join(gem(cut) * count for cut, count in zip(CUTS, vector, strict=True))
    return f'<span class="kv-gems">{pictures}</span><small>{gems_in_words(vector)}</small>'


def picture(ids: list[str], title: str, *parts: str, aside: str = "") -> str:
    """Return one card: its id, a remark beside it, its title, and the HTML of what is on it."""
    name = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
    return (
        f'<li class="deck-card"><code>{escape(name)}</code><span>{escape(aside)}</span>'
        f"<b>{escape(title)}</b>{''.join(parts)}</li>"
    )

"""All cards of a game as pictures, made from its catalogue. They need the sprite, and no script."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from engine.barter.narration import gems as gems_in_words
from engine.game import Game
from engine.games.edel_stein_reich.cards import BONUS, COLOUR_BONUS, PRINTED_BONUS

Card = Mapping[str, Any]
Cards = Mapping[str, Card]

_CUTS = "rygb"
_HOUSE_DECK = "This is the house deck, as no list of the printed cards is known."
_SUCHE_CUTS = {"opal": "o", "ruby": "r", "sapphire": "b", "emerald": "g"}


class Group(NamedTuple):
    """Cards that lie together, such as all gem cards."""

    title: str
    about: str
    pictures: list[str]


def card_groups(game: Game) -> list[Group]:
    """Return the pictures of every card, group by group."""
    return _GROUPS[game.slug](game.catalogue)


def _gem(cut: str) -> str:
    return (
        f'<svg class="kv-gem kv-gem-{cut} kv-onpaper" width="24" height="24" viewBox="0 0 24 24" '
        f'aria-hidden="true"><use href="#gem-{cut}"/></svg>'
    )


def _gems(vector: list[int]) -> str:
    """Gems as pictures, and in words for everybody: cuts differ, but colours need not be seen."""
    drawn = "".join(_gem(cut) * count for cut, count in zip(_CUTS, vector, strict=True))
    return f'<span class="kv-gems">{drawn}</span><small>{gems_in_words(vector)}</small>'


def _picture(ids: list[str], title: str, *parts: str, aside: str = "") -> str:
    """One card: its id, what stands beside that, and what is on it."""
    name = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
    return (
        f'<li class="deck-card"><code>{name}</code><span>{aside}</span>'
        f"<b>{escape(title)}</b>{''.join(parts)}</li>"
    )


def _edel_stein_reich(cards: Cards) -> list[Group]:
    gem_cards = [
        _picture([card], f"{shown['money']} million", _gems(shown["gems"]))
        for card, shown in cards.items()
        if shown["type"] == "gems"
    ]
    return [
        Group(
            "Gem cards",
            f"{_HOUSE_DECK} A card brings its money or its gems.",
            gem_cards,
        ),
        Group(
            "Event cards kept for the next scoring",
            "The bonus of yellow (7) and blue (5) is printed in the rules; that of green (6) and "
            "red (8) is inferred from them. All other amounts are printed.",
            list(_events(cards, "scoring")),
        ),
        Group(
            "Event cards that act at once",
            "A player carries out all of such a card, or declines it.",
            list(_events(cards, "immediate")),
        ),
    ]


def _events(cards: Cards, timing: str) -> Iterable[str]:
    """Equal cards have one picture."""
    events = [(card, shown) for card, shown in cards.items() if shown.get("timing") == timing]
    for kind, same in groupby(events, lambda pair: str(pair[1]["kind"])):
        copies = list(same)
        shown = copies[0][1]
        text = f"<p>{escape(shown['text'])}{_bonus(kind)}</p>"
        aside = f"{len(copies)} copies" if len(copies) > 1 else ""
        yield _picture([card for card, _ in copies], shown["title"], text, aside=aside)


def _bonus(kind: str) -> str:
    """How much a card for a sole majority pays, and how that is known (R-02)."""
    if kind not in COLOUR_BONUS:
        return ""
    amount = BONUS["scaled"][COLOUR_BONUS.index(kind)]
    known = "printed" if kind in PRINTED_BONUS else "inferred"
    return f": <strong>{amount} million</strong> ({known})"


def _basari(cards: Cards) -> list[Group]:
    pictures = [
        _picture(
            [card],
            f"{shown['points']} points",
            _gems(shown["gems"]),
            aside=f"{shown['workers']} worker{'s' * (shown['workers'] != 1)}",
        )
        for card, shown in cards.items()
    ]
    about = f"{_HOUSE_DECK} A card brings its workers, its points or its gems."
    return [Group("Bazaar cards", about, pictures)]


def _edelsteinsuche(cards: Cards) -> list[Group]:
    gems, prospectors = [], []
    for card, shown in cards.items():
        name, cut = shown["gem"].capitalize(), _SUCHE_CUTS[shown["gem"]]
        if shown["type"] == "gem":
            drawn = f'<span class="kv-gems">{_gem(cut) * shown["number"]}</span>'
            gems.append(_picture([card], f"{name} {shown['number']}", drawn))
        else:
            drawn = f'<span class="kv-gems">{_gem(cut)}</span>'
            prospectors.append(_picture([card], f"{name} prospector", drawn))
    return [
        Group("Gem cards", "Five of each type, as printed.", gems),
        Group("Prospectors", "Yours says which gems you look for.", prospectors),
    ]


_GROUPS: dict[str, Callable[[Cards], list[Group]]] = {
    "edel-stein-reich": _edel_stein_reich,
    "basari": _basari,
    "edelsteinsuche": _edelsteinsuche,
}

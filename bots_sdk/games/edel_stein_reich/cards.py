"""Pictures of the cards of Edel, Stein & Reich."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from bots_sdk.viewer.cards import Catalogue, Group, gem_row, picture
from engine.games.edel_stein_reich.cards import BONUS, COLOUR_BONUS, PRINTED_BONUS


def card_groups(catalogue: Catalogue) -> list[Group]:
    """Return gem cards, events for the next scoring, and events that act at once."""
    gem_cards = [
        picture([card], f"{face['money']} million", gem_row(face["gems"]))
        for card, face in catalogue.items()
        if face["type"] == "gems"
    ]
    return [
        Group(
            "Gem cards",
            "This is the house deck, as no list of the printed cards is known. "
            "A card brings its money or its gems.",
            gem_cards,
        ),
        Group(
            "Event cards kept for the next scoring",
            "The bonus of yellow (7) and blue (5) is printed in the rules; that of green (6) and "
            "red (8) is inferred from them. All other amounts are printed.",
            list(_events(catalogue, "scoring")),
        ),
        Group(
            "Event cards that act at once",
            "A player carries out all of such a card, or declines it.",
            list(_events(catalogue, "immediate")),
        ),
    ]


def _events(catalogue: Catalogue, timing: str) -> Iterator[str]:
    """Yield one picture for all equal cards."""
    events = [(card, face) for card, face in catalogue.items() if face.get("timing") == timing]
    for kind, same in groupby(events, lambda pair: str(pair[1]["kind"])):
        copies = list(same)
        face = copies[0][1]
        text = f"<p>{escape(face['text'])}{_bonus(kind)}</p>"
        aside = f"{len(copies)} copies" if len(copies) > 1 else ""
        yield picture([card for card, _ in copies], face["title"], text, aside=aside)


def _bonus(kind: str) -> str:
    """Return how much a card for a sole majority pays, and how that is known (R-02)."""
    if kind not in COLOUR_BONUS:
        return ""
    amount = BONUS["scaled"][COLOUR_BONUS.index(kind)]
    source = "printed" if kind in PRINTED_BONUS else "inferred"
    return f": <strong>{amount} million</strong> ({source})"

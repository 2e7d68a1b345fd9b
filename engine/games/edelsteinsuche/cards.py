"""The cards of Edelsteinsuche: twenty gems, and a prospector for each type of gem."""

from typing import Literal, NotRequired, TypedDict

NAMES = {"O": "Opal", "R": "Ruby", "S": "Sapphire", "E": "Emerald"}
PROSPECTORS = list(NAMES)
SERIES = 5
"""Cards of a type, and slots of a row."""

NUMBER = {f"{gem}{number}": number for gem in NAMES for number in range(1, SERIES + 1)}
CARDS = list(NUMBER)


class Card(TypedDict):
    """What is on a card. A prospector has no number."""

    type: Literal["gem", "prospector"]
    gem: str
    number: NotRequired[int]


_GEMS: dict[str, Card] = {
    card: {"type": "gem", "gem": NAMES[card[0]].lower(), "number": number}
    for card, number in NUMBER.items()
}
_PROSPECTORS: dict[str, Card] = {
    gem: {"type": "prospector", "gem": name.lower()} for gem, name in NAMES.items()
}
CATALOGUE = _GEMS | _PROSPECTORS


def title(card: str) -> str:
    """Return a gem card in words, such as Sapphire 4."""
    return f"{NAMES[card[0]]} {card[1]}"

"""The cards of Edelsteinsuche: twenty gems, and a prospector for each type of gem."""

from typing import Any

NAMES = {"O": "Opal", "R": "Ruby", "S": "Sapphire", "E": "Emerald"}
PROSPECTORS = list(NAMES)
SERIES = 5
"""Cards of a type, and slots of a row."""

NUMBER = {f"{gem}{number}": number for gem in NAMES for number in range(1, SERIES + 1)}
CARDS = list(NUMBER)

CATALOGUE: dict[str, dict[str, Any]] = {
    card: {"type": "gem", "gem": NAMES[card[0]].lower(), "number": number}
    for card, number in NUMBER.items()
} | {gem: {"type": "prospector", "gem": name.lower()} for gem, name in NAMES.items()}


def title(card: str) -> str:
    """A gem card in words, such as Sapphire 4."""
    return f"{NAMES[card[0]]} {card[1]}"

"""The cards of Basari: the house deck of bazaar cards (R-A2)."""

from typing import Literal, TypedDict

from engine.barter.gems import pack

_BAZAAR_CARDS = (
    ("B01", 1, 4, (2, 1, 0, 1)),
    ("B02", 1, 4, (2, 0, 2, 0)),
    ("B03", 1, 4, (1, 2, 1, 0)),
    ("B04", 2, 4, (1, 1, 2, 0)),
    ("B05", 2, 4, (1, 1, 1, 1)),
    ("B06", 3, 4, (1, 0, 2, 1)),
    ("B07", 3, 4, (0, 2, 0, 2)),
    ("B08", 3, 4, (0, 1, 2, 1)),
    ("B09", 4, 4, (0, 0, 2, 2)),
    ("B10", 4, 4, (1, 1, 1, 0)),
    ("B11", 1, 5, (1, 0, 1, 2)),
    ("B12", 1, 5, (2, 1, 0, 0)),
    ("B13", 2, 5, (2, 0, 0, 1)),
    ("B14", 2, 5, (1, 2, 0, 0)),
    ("B15", 2, 5, (1, 1, 1, 0)),
    ("B16", 3, 5, (1, 1, 0, 1)),
    ("B17", 3, 5, (1, 0, 1, 1)),
    ("B18", 3, 5, (0, 2, 0, 1)),
    ("B19", 4, 5, (0, 1, 1, 1)),
    ("B20", 4, 5, (0, 1, 0, 2)),
    ("B21", 1, 6, (1, 1, 0, 1)),
    ("B22", 1, 6, (1, 0, 1, 1)),
    ("B23", 2, 6, (0, 1, 1, 1)),
    ("B24", 2, 6, (0, 0, 2, 1)),
    ("B25", 2, 6, (2, 0, 0, 0)),
    ("B26", 3, 6, (1, 1, 0, 0)),
    ("B27", 3, 6, (1, 0, 1, 0)),
    ("B28", 4, 6, (1, 0, 0, 1)),
    ("B29", 4, 6, (0, 1, 1, 0)),
    ("B30", 4, 6, (0, 1, 0, 1)),
    ("B31", 1, 7, (1, 1, 0, 0)),
    ("B32", 1, 7, (1, 0, 1, 0)),
    ("B33", 1, 7, (0, 2, 0, 0)),
    ("B34", 2, 7, (1, 0, 0, 1)),
    ("B35", 2, 7, (0, 1, 1, 0)),
    ("B36", 3, 7, (0, 1, 0, 1)),
    ("B37", 3, 7, (0, 0, 2, 0)),
    ("B38", 4, 7, (0, 0, 1, 1)),
    ("B39", 4, 7, (0, 0, 0, 2)),
)

WORKERS = {card: workers for card, workers, _, _ in _BAZAAR_CARDS}
POINTS = {card: points for card, _, points, _ in _BAZAAR_CARDS}
GEMS = {card: pack(gems) for card, _, _, gems in _BAZAAR_CARDS}
DECK = list(WORKERS)


class BazaarCard(TypedDict):
    """What is on a card: workers that come with it, and the points or gems it may bring."""

    type: Literal["bazaar"]
    workers: int
    points: int
    gems: list[int]


CATALOGUE: dict[str, BazaarCard] = {
    card: {"type": "bazaar", "workers": workers, "points": points, "gems": list(gems)}
    for card, workers, points, gems in _BAZAAR_CARDS
}

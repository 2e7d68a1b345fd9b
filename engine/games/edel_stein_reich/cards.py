"""The cards of Edel, Stein & Reich: the house deck of gem cards (R-A1), the events (R-01)."""

from typing import Literal, TypedDict

from engine.barter.gems import pack

_GEM_CARDS = (
    ("E01", 4, (2, 0, 1, 1)),
    ("E02", 4, (2, 0, 0, 2)),
    ("E03", 4, (1, 2, 0, 1)),
    ("E04", 4, (1, 1, 2, 0)),
    ("E05", 4, (1, 1, 1, 1)),
    ("E06", 4, (0, 2, 2, 0)),
    ("E07", 4, (0, 2, 1, 1)),
    ("E08", 4, (2, 1, 0, 0)),
    ("E09", 5, (0, 0, 2, 2)),
    ("E10", 5, (2, 0, 0, 1)),
    ("E11", 5, (1, 2, 0, 0)),
    ("E12", 5, (1, 1, 1, 0)),
    ("E13", 5, (1, 1, 0, 1)),
    ("E14", 5, (1, 0, 2, 0)),
    ("E15", 5, (1, 0, 1, 1)),
    ("E16", 5, (0, 2, 1, 0)),
    ("E17", 6, (1, 0, 0, 2)),
    ("E18", 6, (0, 1, 1, 1)),
    ("E19", 6, (0, 1, 0, 2)),
    ("E20", 6, (0, 0, 2, 1)),
    ("E21", 6, (2, 0, 0, 0)),
    ("E22", 6, (1, 1, 0, 0)),
    ("E23", 6, (0, 2, 0, 0)),
    ("E24", 7, (1, 0, 1, 0)),
    ("E25", 7, (1, 0, 0, 1)),
    ("E26", 7, (0, 1, 1, 0)),
    ("E27", 7, (0, 1, 0, 1)),
    ("E28", 7, (0, 0, 2, 0)),
    ("E29", 7, (0, 0, 1, 1)),
    ("E30", 7, (0, 0, 0, 2)),
)

_EVENT_KINDS = (
    ("majority_bonus_red", 1),
    ("majority_bonus_yellow", 1),
    ("majority_bonus_green", 1),
    ("majority_bonus_blue", 1),
    ("per_gem_red", 1),
    ("per_gem_yellow", 1),
    ("per_gem_green", 1),
    ("per_gem_blue", 1),
    ("every_sole_majority", 2),
    ("certificate", 15),
    ("adjust_red_blue", 1),
    ("adjust_yellow_green", 1),
    ("swap_one", 4),
    ("half_value_scoring", 2),
    ("strip_each_opponent", 2),
    ("take_three", 2),
    ("everyone_halves", 2),
)

MONEY = {card: money for card, money, _ in _GEM_CARDS}
GEMS = {card: pack(gems) for card, _, gems in _GEM_CARDS}
GEM_DECK = list(GEMS)

_kinds = [kind for kind, copies in _EVENT_KINDS for _ in range(copies)]
EVENT = {f"V{number:02}": kind for number, kind in enumerate(_kinds, 1)}
EVENT_DECK = list(EVENT)
CERTIFICATES = frozenset(card for card, kind in EVENT.items() if kind == "certificate")

IMMEDIATE = frozenset(
    {
        "adjust_red_blue",
        "adjust_yellow_green",
        "swap_one",
        "half_value_scoring",
        "strip_each_opponent",
        "take_three",
        "everyone_halves",
    }
)

PER_GEM = ("per_gem_red", "per_gem_yellow", "per_gem_green", "per_gem_blue")
COLOUR_BONUS = (
    "majority_bonus_red",
    "majority_bonus_yellow",
    "majority_bonus_green",
    "majority_bonus_blue",
)
PRINTED_BONUS = frozenset({"majority_bonus_yellow", "majority_bonus_blue"})
"""The bonus cards whose amount a rule text names; the others follow from these two (R-02)."""
BONUS = {"scaled": (8, 7, 6, 5), "flat7": (7, 7, 7, 7)}
EVERY_SOLE_MAJORITY = 4
FIRST_CERTIFICATES = 10
SECOND_CERTIFICATES = 4

_TITLES = {
    "every_sole_majority": ("Every sole majority", "4 million for each colour you lead alone"),
    "certificate": ("Certificate", "most certificates 10 million, second most 4 million"),
    "adjust_red_blue": ("Four red, four blue", "bring your red and blue gems to four each"),
    "adjust_yellow_green": (
        "Four yellow, four green",
        "bring your yellow and green gems to four each",
    ),
    "swap_one": ("Swap", "give an opponent a gem and take one of another colour"),
    "half_value_scoring": ("Half-value scoring", "score one colour at once at half its value"),
    "strip_each_opponent": ("Strip", "each opponent returns a gem of a colour you name"),
    "take_three": ("Take three", "take three gems of one colour from the supply"),
    "everyone_halves": ("Everyone halves", "every player returns half the gems of each colour"),
}


class GemCard(TypedDict):
    """What is on a gem card: the money or the gems it may bring."""

    type: Literal["gems"]
    money: int
    gems: list[int]


class EventCard(TypedDict):
    """What is on an event card."""

    type: Literal["event"]
    kind: str
    timing: Literal["immediate", "scoring"]
    title: str
    text: str


def _event(kind: str) -> EventCard:
    if kind in _TITLES:
        title, text = _TITLES[kind]
    else:
        colour = kind.rsplit("_", 1)[1]
        title, text = (
            (f"{colour.capitalize()} gems", f"1 million for each {colour} gem you have")
            if kind in PER_GEM
            else (f"{colour.capitalize()} bonus", f"extra money if you alone lead in {colour}")
        )
    return {
        "type": "event",
        "kind": kind,
        "timing": "immediate" if kind in IMMEDIATE else "scoring",
        "title": title,
        "text": text,
    }


GEM_CARDS: dict[str, GemCard] = {
    card: {"type": "gems", "money": money, "gems": list(gems)} for card, money, gems in _GEM_CARDS
}
EVENT_CARDS = {card: _event(kind) for card, kind in EVENT.items()}
CATALOGUE: dict[str, GemCard | EventCard] = {**GEM_CARDS, **EVENT_CARDS}

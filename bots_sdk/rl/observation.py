"""Views as numbers: what a seat sees, as named groups of features.

Seats are counted from the observer: itself first, then clockwise. What can be large is scaled to be
around one; what is one of a few things is one-hot. Only the view of the seat is looked at, so
nothing hidden can get in.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bots_sdk.rl.encoding import rows_from
from engine.barter.gems import PER_COLOUR
from engine.game import View
from engine.games.basari.cards import DECK as BAZAAR_DECK
from engine.games.edel_stein_reich.cards import EVENT, GEM_DECK, IMMEDIATE
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS
from engine.registry import GAMES

Features = dict[str, list[float]]
"""Groups of numbers by name, in their order."""

HIGHEST = 20.0
"""No feature is larger, none below zero."""

_HUNDRED = 100
_OFFERS = 60
_TURNS = 100
_CHOICE = ("CHOOSE_ACTION", "BARTER_OPEN", "BARTER_REPLY", "FREE_TRADE", "FREE_PICK")
_DECISIONS = {
    "edel-stein-reich": (*_CHOICE, "BARTER_SINGLE", "EVENT_SOURCE", "EVENT_USE"),
    "basari": _CHOICE,
    "edelsteinsuche": ("TURN_START", "DRAW", "PLACE", "UNIQUE_MORE"),
}
_ACTIONS = {
    "edel-stein-reich": ("money", "event", "gems", "free"),
    "basari": ("workers", "points", "gems", "free"),
}
_KINDS = tuple(dict.fromkeys(EVENT.values()))
_KEPT = tuple(kind for kind in _KINDS if kind not in IMMEDIATE)


def observe(slug: str, view: View) -> Features:
    """The features of a view, those of the decision first."""
    asked = view["seat"] in view["asked"]
    decision = view["decision"] if asked else None
    return {"decision": one_hot(decision, _DECISIONS[slug]), **_GAMES[slug](view)}


def one_hot(value: object, choices: Sequence[object]) -> list[float]:
    """A one at the place of the value; all zeros if it is none of them."""
    return [float(value == choice) for choice in choices]


def _scaled(values: Iterable[float], by: float) -> list[float]:
    return [value / by for value in values]


def _clockwise(view: View) -> list[int]:
    seats, own = len(view["seats"]), view["seat"]
    return [(own + step) % seats for step in range(seats)]


def _edel_stein_reich(view: View) -> Features:
    seen: Features = {
        "phase": one_hot(view["phase"], (1, 2, 3)),
        "round": [view["round"] / 8],
        "supply": _scaled(view["supply"], PER_COLOUR),
        "event": one_hot(EVENT.get(view["event"]), _KINDS),
        "using": one_hot(EVENT.get(view["using"]), _KINDS),
        "cards gone by": [float(card in view["used_cards"]) for card in GEM_DECK],
        "card set aside": one_hot(view["aside"], GEM_DECK),
        "events gone by": _count_kinds(view["event_discards"], _KINDS),
        **_barter(view, _ACTIONS["edel-stein-reich"]),
    }
    for step, seat in enumerate(_clockwise(view)):
        one = view["seats"][seat]
        seen |= _trader(f"seat {step}", view, seat, "edel-stein-reich")
        seen[f"seat {step} money"] = [one["money"] / _HUNDRED]
        seen[f"seat {step} events"] = _count_kinds(one["held"], _KEPT)
    return seen


def _count_kinds(cards: Sequence[str], kinds: Sequence[str]) -> list[float]:
    held = [EVENT[card] for card in cards]
    return [float(held.count(kind)) for kind in kinds]


def _basari(view: View) -> Features:
    lying_open = {card for seat in view["seats"] for card in seat["row"]}
    seen: Features = {
        "stage": one_hot(view["stage"], (1, 2, 3)),
        "round": [view["round"] / 8],
        "supply": _scaled(view["supply"], PER_COLOUR),
        "cards gone by": [float(card in lying_open) for card in BAZAAR_DECK],
        **_barter(view, _ACTIONS["basari"]),
    }
    for step, seat in enumerate(_clockwise(view)):
        one = view["seats"][seat]
        seen |= _trader(f"seat {step}", view, seat, "basari")
        seen[f"seat {step} points"] = [one["points"] / _HUNDRED]
        seen[f"seat {step} workers"] = [one["workers"] / 15]
    return seen


def _trader(name: str, view: View, seat: int, slug: str) -> Features:
    """What both barter games know of a seat: gems, the card before it, its action, its age."""
    one = view["seats"][seat]
    card = GAMES[slug].catalogue.get(one["card"], {})
    worth = [card.get("money", 0) / 7, card.get("points", 0) / 7, card.get("workers", 0) / 4]
    return {
        f"{name} gems": _scaled(one["gems"], PER_COLOUR),
        f"{name} card": [*worth, *_scaled(card.get("gems", (0, 0, 0, 0)), 2)],
        f"{name} action": one_hot(one["action"], _ACTIONS[slug]),
        f"{name} age": [view["age_rank"][seat] / len(view["seats"])],
    }


def _barter(view: View, actions: Sequence[str]) -> Features:
    """The barter that is going on; all zeros without one."""
    table: dict[str, Any] = view["barter"] or {}
    seats = _clockwise(view)
    return {
        "barter action": one_hot(table.get("action"), actions),
        "barter seats": [float(seat in table.get("seats", ())) for seat in seats],
        "barter opener": one_hot(table.get("opener"), seats),
        "barter to answer": one_hot(table.get("to_answer"), seats),
        "barter offer": _scaled(table.get("offer") or (0, 0, 0, 0), PER_COLOUR),
        "barter offers": [min(table.get("offers", 0) / _OFFERS, HIGHEST)],
        "still picking": [float(seat in view["picking"]) for seat in seats],
    }


def _edelsteinsuche(view: View) -> Features:
    own, seats = view["seat"], _clockwise(view)
    rows = rows_from(own, len(seats))
    known, drawn = view["known"][own], view["drawn_from"]
    places = [(row, slot) for row in rows for slot in range(5)]
    seen: Features = {
        "turn": [min(view["turn"] / len(seats) / _TURNS, HIGHEST)],
        "active": one_hot(view["active"], seats),
        "unique move": [float(view["unique"]), view["draws"] / 3],
        "hand": one_hot(view["hand"], CARDS),
        "drawn from": one_hot(drawn and (drawn[0], drawn[1] - 1), places),
        "face up": [float(view["rows"][row][slot]["up"]) for row, slot in places],
    }
    for step, row in enumerate(rows):
        cards = [one_hot(card, CARDS) for card in known[row]]
        seen[f"row {step} cards"] = [number for card in cards for number in card]
    for step, seat in enumerate(seats):
        one = view["seats"][seat]
        seen[f"seat {step} gem"] = one_hot(one["type"], PROSPECTORS)
        seen[f"seat {step} missing"] = [one["missing"] / 5]
        seen[f"seat {step} unique move used"] = [float(one["unique_used"])]
        seen[f"seat {step} has seen"] = [float(view["seen"][seat][row][at]) for row, at in places]
    return seen


_GAMES: dict[str, Callable[[View], Features]] = {
    "edel-stein-reich": _edel_stein_reich,
    "basari": _basari,
    "edelsteinsuche": _edelsteinsuche,
}

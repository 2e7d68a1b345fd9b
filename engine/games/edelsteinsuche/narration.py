"""The sentences that tell a match of Edelsteinsuche.

Seats stand as `{0}`, `{1}` and so on. A card that only some know stands as `{card}` or `{out}`;
whoever prints the sentence fills in its name or says that it is hidden.
"""

from collections.abc import Callable
from typing import Any

from engine.game import View
from engine.games.edelsteinsuche.cards import NAMES, SERIES, title
from engine.games.edelsteinsuche.steps import Draw, End, More, Place, Start, Turn
from engine.games.edelsteinsuche.view import TableView
from engine.narration import name, names, winners
from engine.record.types import AnyStep

_ROWS = {2: ", two of them for nobody (avatar rows)", 3: ", one of them for nobody (an avatar row)"}

_NTH = ("", "first", "second", "third", "fourth", "last")


def narrate(step: AnyStep, view: View) -> str:
    """Tell a step in one sentence; the view is the table as it stands after it."""
    return _TELL[step["t"]](step, view)


def _where(row: int, slot: int, view: TableView) -> str:
    owner = f"{name(row)}'s row" if row < len(view["seats"]) else f"avatar row {row}"
    return f"slot {slot} of {owner}"


def _start(step: Start, view: TableView) -> str:
    rows = _ROWS.get(len(view["seats"]), "")
    dealer, first = name(step["dealer"]), name(view["active"])
    return f"{dealer} deals four rows of five cards face down{rows}; {first} begins."


def _turn(step: Turn, _: TableView) -> str:
    who = name(step["seat"])
    if step["move"] == "normal":
        return f"It is {who}'s turn to exchange a card."
    prospector = NAMES[step["prospector"]]
    return (
        f"{who} plays the unique move, allowed once in a game, "
        f"reveals the {prospector} prospector and may exchange up to three cards."
    )


def _draw(step: Draw, view: TableView) -> str:
    row, slot = map(int, step["move"].removeprefix("draw ").split("."))
    return f"{name(step['seat'])} draws {{card}} from {_where(row, slot, view)}."


def _place(step: Place, view: TableView) -> str:
    who, slot = name(step["seat"]), step["slot"]
    # Where the gap is was said when the card was drawn; saying it again makes records larger.
    gap = "{out} goes face down into the gap"
    if step["move"] != "show":
        return f"{who} hides {{card}} in slot {slot} of their own row, and {gap}."
    card = title(step["card"])
    nth = _NTH[SERIES - view["seats"][step["seat"]]["missing"]]
    return f"{who} shows {card} in slot {slot}, the {nth} of five, and {gap}."


def _more(step: More, _: TableView) -> str:
    who = name(step["seat"])
    if step["move"] == "continue":
        return f"{who} goes on with the unique move and exchanges another card."
    return f"{who} ends the unique move here."


def _end(step: End, view: TableView) -> str:
    first, forfeits = winners(step), step.get("forfeits", ())
    others = f"; {names(forfeits)} forfeited" if forfeits else ""
    if step["reason"] == "series":
        complete = step["scores"].index(0)
        # Cards that lie face up are in every view; a prospector is not.
        card = view["rows"][complete][0]["card"]
        assert card is not None
        gem = NAMES[card[0]]
        has_all = f"{name(complete)} has all five {gem} cards face up"
        if complete in first:
            return f"{has_all} and wins{others}."
        if not first:
            return f"{has_all}, but all seats forfeited, so nobody wins."
        verb = "wins" if len(first) == 1 else "share the first place"
        return f"{has_all} but forfeited, so {names(first)} {verb}."
    if not first:
        return "The turns are used up, and all seats forfeited, so nobody wins."
    missing = -step["scores"][first[0]]
    cards = "1 card" if missing == 1 else f"{missing} cards"
    if len(first) == 1:
        return f"The turns are used up; {names(first)} is only {cards} short and wins{others}."
    shared = f"{names(first)} are each {cards} short and share the first place"
    return f"The turns are used up; {shared}{others}."


# Which type a step has follows from the kind that leads to its function.
_TELL: dict[str, Callable[[Any, Any], str]] = {
    "start": _start,
    "turn": _turn,
    "draw": _draw,
    "place": _place,
    "more": _more,
    "end": _end,
}

"""The sentences that tell a match of Edel, Stein & Reich."""

from collections.abc import Callable
from typing import Any

from engine.barter.gems import INDEX, VALUE
from engine.barter.narration import (
    accept,
    barter,
    choose,
    colour,
    free,
    gems,
    lapse,
    offer,
    score,
    start,
)
from engine.barter.steps import Decline, Score
from engine.game import View
from engine.games.edel_stein_reich.cards import EVENT_CARDS, GEM_CARDS
from engine.games.edel_stein_reich.steps import Act, Certificates, Deal, Keep, Phase, Source, Use
from engine.games.edel_stein_reich.view import TableView
from engine.narration import joined, name, ranking
from engine.record.types import AnyStep

_WHY_OPENER = {
    "red": "having fewer red gems",
    "yellow": "having fewer yellow gems",
    "green": "having fewer green gems",
    "blue": "having fewer blue gems",
    "money": "having less money",
    "age": "being the younger",
}


def narrate(step: AnyStep, view: View) -> str:
    """Tell a step in one sentence; the view is the table as it stands after it."""
    return _TELL[step["t"]](step, view)


def _title(card: str) -> str:
    return f"“{EVENT_CARDS[card]['title']}”"


def _gem_card(card: str) -> str:
    face = GEM_CARDS[card]
    return f"{face['money']} million or {gems(face['gems'])}"


def _phase(step: Phase, _: TableView) -> str:
    back = [
        f"{name(seat)} returns {gems(vector)}"
        for seat, vector in enumerate(step["returned"])
        if any(vector)
    ]
    scarce = f"; as the supply is low, {joined(back)}" if back else ""
    aside = f"; the card set aside shows {_gem_card(step['aside'])}" if step["aside"] else ""
    return f"Phase {step['phase']} of 3 begins{scarce}{aside}."


def _deal(step: Deal, view: TableView) -> str:
    cards = ", ".join(f"{name(seat)} {_gem_card(c)}" for seat, c in enumerate(step["cards"]))
    anew = "; the event pile is shuffled anew" if step["reshuffled"] else ""
    return f"Round {view['round']} offers {cards}; the event is {_title(step['event'])}{anew}."


def _decline(step: Decline, view: TableView) -> str:
    who = name(step["seat"])
    because = " and has no gem to offer" if step["forced"] else ""
    if view["barter"]:
        other = name(view["barter"]["to_answer"])
        return f"{who} makes no offer{because}; {other} may now offer a single gem."
    return f"{who} makes no offer either{because}."


def _act(step: Act, _: TableView) -> str:
    who, gained = name(step["seat"]), step["gained"]
    if isinstance(gained, int):
        return f"{who} takes {gained} million."
    return f"{who} takes {gems(gained)} from the supply."


def _source(step: Source, _: TableView) -> str:
    who, title = name(step["seat"]), _title(step["card"])
    if step["move"] == "open":
        return f"{who} takes the open event card {title}."
    anew = "; the event pile is shuffled anew" if step["reshuffled"] else ""
    return f"{who} puts the open event card away and draws {title} from the pile{anew}."


def _keep(step: Keep, _: TableView) -> str:
    return f"{name(step['seat'])} keeps {_title(step['card'])} for the next scoring."


def _use(step: Use, view: TableView) -> str:
    who, title = name(step["seat"]), _title(step["card"])
    word, *operands = step["move"].split()
    if word == "decline":
        can = "cannot use" if step["forced"] else "makes no use of"
        return f"{who} {can} {title}."
    return f"{who} uses {title}: {_USES[word](step, view, operands)}."


def _swap(_: Use, __: TableView, operands: list[str]) -> str:
    give, opponent, take = operands
    return f"1 {colour(give)} goes to {name(int(opponent))}, 1 {colour(take)} comes back"


def _strip(_: Use, __: TableView, operands: list[str]) -> str:
    return joined(f"{name(int(loss[0]))} returns 1 {colour(loss[1])}" for loss in operands)


def _half_score(step: Use, _: TableView, operands: list[str]) -> str:
    (letter,) = operands
    value = VALUE[INDEX[letter]] // 2
    paid, returned = step["paid"], step["returned"]
    return score({"colour": letter, "paid": paid, "returned": returned}, value, "million")


def _take(step: Use, view: TableView, operands: list[str]) -> str:
    (letter,) = operands
    count = view["seats"][step["seat"]]["gems"][INDEX[letter]]
    return f"it takes {colour(letter)} gems and now has {count}"


def _simple_use(step: Use, view: TableView, _: list[str]) -> str:
    if EVENT_CARDS[step["card"]]["kind"] == "everyone_halves":
        return "everybody returns half of the gems of each colour, rounded down"
    return f"it now has {gems(view['seats'][step['seat']]['gems'])}"


_USES: dict[str, Callable[[Use, TableView, list[str]], str]] = {
    "swap": _swap,
    "strip": _strip,
    "score": _half_score,
    "take": _take,
    "use": _simple_use,
}


def _score(step: Score, _: TableView) -> str:
    value = VALUE[INDEX[step["colour"]]]
    extra = [f"{name(s)} {paid} million" for s, paid in enumerate(step["bonus"]) if paid]
    cards = f"; event cards bring {joined(extra)}" if extra else ""
    return f"{score(step, value, 'million')}{cards}."


def _certificates(step: Certificates, _: TableView) -> str:
    if not any(step["held"]):
        return "Nobody has a certificate."
    awards = [
        f"{name(seat)} gets {money} million for {held}"
        for seat, (held, money) in enumerate(zip(step["held"], step["paid"], strict=True))
        if money
    ]
    return f"Certificates: {joined(awards)}."


# Which type a step has follows from the kind that leads to its function.
_TELL: dict[str, Callable[[Any, Any], str]] = {
    "start": lambda _, view: start(view),
    "phase": _phase,
    "deal": _deal,
    "choose": lambda step, _: choose(step),
    "lapse": lambda step, _: lapse(step),
    "barter": lambda step, _: barter(step, _WHY_OPENER),
    "offer": offer,
    "decline": _decline,
    "accept": lambda step, _: accept(step),
    "act": _act,
    "source": _source,
    "keep": _keep,
    "use": _use,
    "free": lambda step, _: free(step),
    "score": _score,
    "certificates": _certificates,
    "end": lambda step, _: ranking(step, "million"),
}

"""Edel, Stein & Reich told in sentences."""

from collections.abc import Callable
from typing import Any

from engine.barter.gems import INDEX, VALUE
from engine.barter.narration import (
    Step,
    accept,
    barter,
    choose,
    colour,
    free,
    gems,
    joined,
    lapse,
    name,
    offer,
    ranking,
    score,
    start,
)
from engine.game import View
from engine.games.edel_stein_reich.cards import CATALOGUE

_WHY_OPENER = {
    "red": "having fewer red gems",
    "yellow": "having fewer yellow gems",
    "green": "having fewer green gems",
    "blue": "having fewer blue gems",
    "money": "having less money",
    "age": "being the younger",
}


def narrate(step: Step, view: View) -> str:
    """One sentence for a step, given the table as it stands after it."""
    return _TELL[step["t"]](step, view)


def _title(card: str) -> str:
    title: str = CATALOGUE[card]["title"]
    return f"“{title}”"


def _gem_card(card: str) -> str:
    return f"{CATALOGUE[card]['money']} million or {gems(CATALOGUE[card]['gems'])}"


def _phase(step: Step, _: View) -> str:
    back = [
        f"{name(seat)} returns {gems(vector)}"
        for seat, vector in enumerate(step["returned"])
        if any(vector)
    ]
    scarce = f"; as the supply is low, {joined(back)}" if back else ""
    aside = f"; the card set aside shows {_gem_card(step['aside'])}" if step["aside"] else ""
    return f"Phase {step['phase']} of 3 begins{scarce}{aside}."


def _deal(step: Step, view: View) -> str:
    cards = ", ".join(f"{name(seat)} {_gem_card(c)}" for seat, c in enumerate(step["cards"]))
    anew = "; the event pile is shuffled anew" if step["reshuffled"] else ""
    return f"Round {view['round']} offers {cards}; the event is {_title(step['event'])}{anew}."


def _decline(step: Step, view: View) -> str:
    who = name(step["seat"])
    because = " and has no gem to offer" if step["forced"] else ""
    if view["barter"]:
        other = name(view["barter"]["to_answer"])
        return f"{who} makes no offer{because}; {other} may now offer a single gem."
    return f"{who} makes no offer either{because}."


def _act(step: Step, _: View) -> str:
    who, gained = name(step["seat"]), step["gained"]
    if step["action"] == "money":
        return f"{who} takes {gained} million."
    return f"{who} takes {gems(gained)} from the supply."


def _source(step: Step, _: View) -> str:
    who, title = name(step["seat"]), _title(step["card"])
    if step["move"] == "open":
        return f"{who} takes the open event card {title}."
    anew = "; the event pile is shuffled anew" if step["reshuffled"] else ""
    return f"{who} puts the open event card away and draws {title} from the pile{anew}."


def _keep(step: Step, _: View) -> str:
    return f"{name(step['seat'])} keeps {_title(step['card'])} for the next scoring."


def _use(step: Step, view: View) -> str:
    who, title = name(step["seat"]), _title(step["card"])
    word, *said = step["move"].split()
    if word == "decline":
        can = "cannot use" if step["forced"] else "makes no use of"
        return f"{who} {can} {title}."
    return f"{who} uses {title}: {_USES[word](step, view, said)}."


def _swapped(_: Step, __: View, said: list[str]) -> str:
    give, opponent, take = said
    return f"1 {colour(give)} goes to {name(int(opponent))}, 1 {colour(take)} comes back"


def _stripped(_: Step, __: View, said: list[str]) -> str:
    return joined(f"{name(int(lost[0]))} returns 1 {colour(lost[1])}" for lost in said)


def _scored(step: Step, _: View, said: list[str]) -> str:
    value = VALUE[INDEX[said[0]]] // 2
    return score({**step, "colour": said[0]}, value, "million")


def _taken(step: Step, view: View, said: list[str]) -> str:
    count = view["seats"][step["seat"]]["gems"][INDEX[said[0]]]
    return f"it takes {colour(said[0])} gems and now has {count}"


def _used(step: Step, view: View, _: list[str]) -> str:
    if CATALOGUE[step["card"]]["kind"] == "everyone_halves":
        return "everybody returns half of the gems of each colour, rounded down"
    return f"it now has {gems(view['seats'][step['seat']]['gems'])}"


_USES: dict[str, Callable[[Step, View, list[str]], str]] = {
    "swap": _swapped,
    "strip": _stripped,
    "score": _scored,
    "take": _taken,
    "use": _used,
}


def _score(step: Step, _: View) -> str:
    value = VALUE[INDEX[step["colour"]]]
    extra = [f"{name(s)} {paid} million" for s, paid in enumerate(step["bonus"]) if paid]
    cards = f"; event cards bring {joined(extra)}" if extra else ""
    return f"{score(step, value, 'million')}{cards}."


def _certificates(step: Step, _: View) -> str:
    if not any(step["held"]):
        return "Nobody has a certificate."
    paid = [
        f"{name(seat)} gets {money} million for {held}"
        for seat, (held, money) in enumerate(zip(step["held"], step["paid"], strict=True))
        if money
    ]
    return f"Certificates: {joined(paid)}."


_TELL: dict[str, Callable[[Any, View], str]] = {
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

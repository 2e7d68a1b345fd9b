"""Basari told in sentences."""

from collections.abc import Callable
from typing import Any

from engine.barter.gems import INDEX, VALUE
from engine.barter.narration import (
    Step,
    accept,
    barter,
    choose,
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
from engine.game import Seat, View
from engine.games.basari.cards import CATALOGUE
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD
from engine.games.basari.state import STAGES

_WHY_OPENER = {
    "red": "having more red gems",
    "yellow": "having more yellow gems",
    "green": "having more green gems",
    "blue": "having more blue gems",
    "points": "having more points",
    "workers": "having more workers",
    "age": "being the elder",
}


def narrate(step: Step, view: View) -> str:
    """One sentence for a step, given the table as it stands after it."""
    return _TELL[step["t"]](step, view)


def _workers(count: int) -> str:
    return f"{count} worker{'s' * (count != 1)}"


def _stage(step: Step, _: View) -> str:
    return f"Stage {step['stage']} of {STAGES} begins, with all cards shuffled and no workers yet."


def _deal(step: Step, view: View) -> str:
    dealt = "; ".join(_dealt(seat, card, view) for seat, card in enumerate(step["cards"]))
    return f"Round {view['round']}: {dealt}."


def _dealt(seat: Seat, card: str | None, view: View) -> str:
    if card is None:
        return f"{name(seat)} finds no card"
    shown, all_workers = CATALOGUE[card], view["seats"][seat]["workers"]
    so_far = f" ({all_workers} in all)" if all_workers > shown["workers"] else ""
    return (
        f"{name(seat)} gets {_workers(shown['workers'])}{so_far} "
        f"and may get {shown['points']} points or {gems(shown['gems'])}"
    )


def _free_win(step: Step, _: View) -> str:
    who = name(step["seat"])
    return f"The opener has no gem to offer, so {who} performs the action for free."


def _act(step: Step, view: View) -> str:
    who = name(step["seat"])
    if step["action"] == "points":
        return f"{who} scores {step['gained']} points."
    if step["action"] == "gems":
        return f"{who} takes {gems(step['gained'])} from the supply."
    if step["card"] is None:
        return f"{who} finds no card to draw."
    drawn = CATALOGUE[step["card"]]["workers"]
    now = view["seats"][step["seat"]]["workers"]
    return f"{who} draws a card with {_workers(drawn)} and now has {now}."


def _score(step: Step, _: View) -> str:
    return f"{score(step, VALUE[INDEX[step['colour']]], 'points')}."


def _score_workers(step: Step, _: View) -> str:
    paid = [
        f"{name(seat)} gets {award} points for {step['count'][seat]}"
        for seat, award in enumerate(step["paid"])
        if award
    ]
    if not paid:
        return f"Nobody has {ENOUGH_WORKERS} workers, so nobody gets {WORKER_AWARD} points."
    return f"Workers: {joined(paid)}."


_TELL: dict[str, Callable[[Any, View], str]] = {
    "start": lambda _, view: start(view),
    "stage": _stage,
    "deal": _deal,
    "choose": lambda step, _: choose(step),
    "lapse": lambda step, _: lapse(step),
    "barter": lambda step, _: barter(step, _WHY_OPENER),
    "offer": offer,
    "accept": lambda step, _: accept(step),
    "free_win": _free_win,
    "act": _act,
    "free": lambda step, _: free(step),
    "score": _score,
    "workers": _score_workers,
    "end": lambda step, _: ranking(step, "points"),
}

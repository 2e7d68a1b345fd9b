"""The sentences that tell a match of Basari."""

from collections.abc import Callable
from typing import Any

from engine.barter.gems import INDEX, VALUE
from engine.barter.narration import (
    accept,
    barter,
    choose,
    free,
    gems,
    lapse,
    offer,
    score,
    start,
)
from engine.barter.steps import FreeWin, Score
from engine.game import Seat, View
from engine.games.basari.cards import CATALOGUE
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD
from engine.games.basari.state import STAGES
from engine.games.basari.steps import Act, Deal, Stage, Workers
from engine.games.basari.view import TableView
from engine.narration import joined, name, ranking
from engine.record.types import AnyStep

_WHY_OPENER = {
    "red": "having more red gems",
    "yellow": "having more yellow gems",
    "green": "having more green gems",
    "blue": "having more blue gems",
    "points": "having more points",
    "workers": "having more workers",
    "age": "being the elder",
}


def narrate(step: AnyStep, view: View) -> str:
    """Tell a step in one sentence; the view is the table as it stands after it."""
    return _TELL[step["t"]](step, view)


def _workers(count: int) -> str:
    return f"{count} worker{'s' * (count != 1)}"


def _stage(step: Stage, _: TableView) -> str:
    return f"Stage {step['stage']} of {STAGES} begins, with all cards shuffled and no workers yet."


def _deal(step: Deal, view: TableView) -> str:
    cards = "; ".join(_card(seat, card, view) for seat, card in enumerate(step["cards"]))
    return f"Round {view['round']}: {cards}."


def _card(seat: Seat, card: str | None, view: TableView) -> str:
    if card is None:
        return f"{name(seat)} finds no card"
    face, all_workers = CATALOGUE[card], view["seats"][seat]["workers"]
    so_far = f" ({all_workers} in all)" if all_workers > face["workers"] else ""
    return (
        f"{name(seat)} gets {_workers(face['workers'])}{so_far} "
        f"and may get {face['points']} points or {gems(face['gems'])}"
    )


def _free_win(step: FreeWin, _: TableView) -> str:
    who = name(step["seat"])
    return f"The opener has no gem to offer, so {who} performs the action for free."


def _act(step: Act, view: TableView) -> str:
    who, gained = name(step["seat"]), step.get("gained")
    if isinstance(gained, int):
        return f"{who} scores {gained} points."
    if gained is not None:
        return f"{who} takes {gems(gained)} from the supply."
    card = step["card"]
    if card is None:
        return f"{who} finds no card to draw."
    now = view["seats"][step["seat"]]["workers"]
    return f"{who} draws a card with {_workers(CATALOGUE[card]['workers'])} and now has {now}."


def _score(step: Score, _: TableView) -> str:
    return f"{score(step, VALUE[INDEX[step['colour']]], 'points')}."


def _score_workers(step: Workers, _: TableView) -> str:
    awards = [
        f"{name(seat)} gets {award} points for {step['count'][seat]}"
        for seat, award in enumerate(step["paid"])
        if award
    ]
    if not awards:
        return f"Nobody has {ENOUGH_WORKERS} workers, so nobody gets {WORKER_AWARD} points."
    return f"Workers: {joined(awards)}."


# Which type a step has follows from the kind that leads to its function.
_TELL: dict[str, Callable[[Any, Any], str]] = {
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

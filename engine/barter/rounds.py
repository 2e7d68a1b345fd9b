"""The rounds of the barter games, read off the steps: who wanted which action, and who got it."""

from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from engine.barter.steps import (
    Accept,
    BarterOpening,
    BarterStep,
    Choose,
    Lapse,
    typed,
)
from engine.facets.presentation import Steps
from engine.record.types import Json
from engine.seats import Seat

_CLOSES = frozenset({"deal", "phase", "stage", "score", "end"})
_IN_BARTER = frozenset({"offer", "accept", "decline", "free_win"})


@dataclass(slots=True)
class Fate:
    """What is known of an action from step `i` on."""

    i: int
    action: str
    kind: str
    """alone, turns (several, one after the other), barter, cancelled, sold, or nobody."""
    seats: list[Seat]
    buyer: Seat | None = None

    def of(self, seat: Seat) -> str:
        """Return what it was for a seat that had chosen the action."""
        return "won" if self.buyer == seat else self.kind


@dataclass(slots=True)
class ActionRound:
    """A round from its first step to before its last, and the fates of its actions in order."""

    start: int
    end: int
    fates: list[Fate] = field(default_factory=list)

    def as_data(self) -> dict[str, Json]:
        """Return it as the modules of the viewer read it."""
        return asdict(self)

    def result(self, action: str) -> Fate:
        """Return what became of an action in the end."""
        return next(fate for fate in reversed(self.fates) if fate.action == action)


class BarterSummary(NamedTuple):
    """A barter: its first and last step, its offers, and the accept, if there was one."""

    first: int
    last: int
    offers: int
    accept: Accept | None


def action_rounds(steps: Steps) -> list[ActionRound]:
    """Return every round with the fates of its actions."""
    rounds: list[ActionRound] = []
    barter: BarterOpening | None = None
    for step in typed(steps):
        if rounds and step["t"] in _CLOSES and rounds[-1].end == len(steps):
            rounds[-1].end = step["i"]
        if step["t"] == "deal":
            rounds.append(ActionRound(step["i"], len(steps)))
        elif step["t"] == "choose":
            rounds[-1].fates += _choices(step)
        elif step["t"] == "barter":
            barter = step
            rounds[-1].fates.append(_fate(step, "barter"))
        elif step["t"] == "lapse":
            kind = "cancelled" if len(step["seats"]) > 2 else "nobody"
            rounds[-1].fates.append(_fate(step, kind))
        elif (buyer := _buyer(step)) is not None and barter:
            sale = Fate(step["i"], barter["action"], "sold", barter["seats"], buyer)
            rounds[-1].fates.append(sale)
    return rounds


def _choices(step: Choose) -> list[Fate]:
    choosers: dict[str, list[Seat]] = {}
    for seat, action in enumerate(step["moves"]):
        choosers.setdefault(action, []).append(seat)
    return [
        Fate(step["i"], action, _kind(action, seats), seats) for action, seats in choosers.items()
    ]


def _kind(action: str, seats: list[Seat]) -> str:
    """Return what will become of an action: everybody sees it once the choices are revealed."""
    if len(seats) == 1:
        return "alone"
    if action == "free":
        return "turns"
    return "barter" if len(seats) == 2 else "cancelled"


def _fate(step: BarterOpening | Lapse, kind: str) -> Fate:
    return Fate(step["i"], step["action"], kind, step["seats"])


def _buyer(step: BarterStep) -> Seat | None:
    """Return who may act after a step that ends a barter."""
    if step["t"] == "accept":
        return step["from"]
    return step["seat"] if step["t"] == "free_win" else None


def barters(steps: Steps) -> list[BarterSummary]:
    """Return a summary of every barter."""
    summaries: list[BarterSummary] = []
    for step in typed(steps):
        if step["t"] == "barter":
            summaries.append(BarterSummary(step["i"], step["i"], 0, None))
        elif step["t"] in _IN_BARTER:
            last = summaries[-1]
            accept = step if step["t"] == "accept" else last.accept
            offers = last.offers + (step["t"] == "offer")
            summaries[-1] = BarterSummary(last.first, step["i"], offers, accept)
    return summaries


def barter_spans(steps: Steps) -> list[tuple[int, int]]:
    """Return every barter from its opening until its winner has acted."""
    spans: list[tuple[int, int]] = []
    winner: Seat | None = None
    running = False
    for step in typed(steps):
        if step["t"] == "barter":
            spans.append((step["i"], step["i"]))
            winner, running = None, True
        elif not running:
            continue
        elif winner is not None and step.get("seat") != winner:
            running = False
        else:
            spans[-1] = spans[-1][0], step["i"]
            winner = _buyer(step) if winner is None else winner
            running = step["t"] != "lapse"
    return spans

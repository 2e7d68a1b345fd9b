"""The rounds of the barter games: who wanted which action, and what became of it, read off the
steps."""

from dataclasses import asdict, dataclass, field
from typing import Any

from bots_sdk.viewer.moments import Step
from engine.game import Seat

_CLOSES = frozenset({"deal", "phase", "stage", "score", "end"})


@dataclass(slots=True)
class Fate:
    """What is known of an action from step `i` on."""

    i: int
    action: str
    kind: str
    """alone, turns (several, one after the other), barter, cancelled, sold, or nobody."""
    seats: list[Seat]
    buyer: Seat | None = None


@dataclass(slots=True)
class Round:
    """A round from its first step to before its last, and the fates of its actions in order."""

    start: int
    end: int
    fates: list[Fate] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """As the modules of the viewer read it."""
        return asdict(self)

    def result(self, action: str) -> Fate:
        """What became of an action in the end."""
        return next(fate for fate in reversed(self.fates) if fate.action == action)


def rounds_of(steps: list[Step]) -> list[Round]:
    """Every round with the fates of its actions."""
    rounds: list[Round] = []
    barter: Step | None = None
    for step in steps:
        if rounds and step["t"] in _CLOSES and rounds[-1].end == len(steps):
            rounds[-1].end = step["i"]
        if step["t"] == "deal":
            rounds.append(Round(step["i"], len(steps)))
        elif step["t"] == "choose":
            rounds[-1].fates += _wanted(step)
        elif step["t"] == "barter":
            barter = step
            rounds[-1].fates.append(_fate(step, "barter"))
        elif step["t"] == "lapse":
            kind = "cancelled" if len(step["seats"]) > 2 else "nobody"
            rounds[-1].fates.append(_fate(step, kind))
        elif step["t"] in ("accept", "free_win") and barter:
            buyer = step["from"] if step["t"] == "accept" else step["seat"]
            sold = Fate(step["i"], barter["action"], "sold", barter["seats"], buyer)
            rounds[-1].fates.append(sold)
    _foresee(rounds)
    return rounds


def _wanted(step: Step) -> list[Fate]:
    wanted: dict[str, list[Seat]] = {}
    for seat, action in enumerate(step["moves"]):
        wanted.setdefault(action, []).append(seat)
    return [
        Fate(step["i"], action, "alone" if len(seats) == 1 else "turns", seats)
        for action, seats in wanted.items()
    ]


def _fate(step: Step, kind: str) -> Fate:
    return Fate(step["i"], step["action"], kind, step["seats"])


def _foresee(rounds: list[Round]) -> None:
    """When actions are revealed everybody sees at once which are bartered for or cancelled."""
    for one in rounds:
        for later in one.fates:
            if later.kind in ("barter", "cancelled"):
                first = next(fate for fate in one.fates if fate.action == later.action)
                first.kind = later.kind


def scenes(steps: list[Step]) -> list[tuple[int, int]]:
    """Every barter from its opening until its winner has acted."""
    found: list[tuple[int, int]] = []
    winner: Seat | None = None
    running = False
    for step in steps:
        if step["t"] == "barter":
            found.append((step["i"], step["i"]))
            winner, running = None, True
        elif not running:
            continue
        elif winner is not None and step.get("seat") != winner:
            running = False
        else:
            found[-1] = found[-1][0], step["i"]
            if step["t"] in ("accept", "free_win"):
                winner = step["from"] if step["t"] == "accept" else step["seat"]
            running = step["t"] != "lapse"
    return found

"""What one jumps to in a match: chapters, rounds, marks, the short version; and how long it takes.

All of it is read off the steps; nothing here knows rules.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.game import SEAT_LETTERS, Seat, View
from engine.games.edelsteinsuche.cards import title
from engine.record.patch import apply
from engine.record.recorder import Record

Step = dict[str, Any]

SHOWN_MS = (
    dict.fromkeys(("start", "phase", "stage", "accept", "source", "use"), 800)
    | dict.fromkeys(("act", "free", "lapse", "free_win", "draw"), 600)
    | dict.fromkeys(("score", "certificates", "workers"), 1000)
    | {"deal": 400, "choose": 900, "barter": 500, "offer": 550, "decline": 550, "keep": 400}
    | {"turn": 250, "place": 700, "more": 300, "end": 1500}
)
"""How long each kind of step is shown at speed 1."""
MAX_REPLAY_MS = 175_000
"""A longer match is sped up as a whole, so that it can be watched at one sitting."""
HIGHLIGHTS_MS = 39_000
LONG_BARTER = 4
SCORING = frozenset({"score", "certificates", "workers"})
_IN_BARTER = frozenset({"offer", "accept", "decline", "free_win"})


class Start(NamedTuple):
    """Where something begins, and what it is called."""

    i: int
    name: str


class Mark(NamedTuple):
    """A step worth a mark on the timeline."""

    i: int
    kind: str
    text: str


class BarterSummary(NamedTuple):
    """A barter: its first and last step, its offers, and the accept, if there was one."""

    i: int
    end: int
    offers: int
    accept: Step | None


def views_of(record: Record) -> Iterator[View]:
    """The view after each step. It is one object that changes: take what is needed at once."""
    view = deepcopy(record["steps"][0]["view"])
    yield view
    for step in record["steps"][1:]:
        apply(view, step["set"])
        yield view


def standing(record: Record) -> list[list[int]]:
    """The score of every seat after each step: money, points, or minus the missing cards."""
    return [[_score(seat) for seat in view.get("seats", [])] for view in views_of(record)]


def _score(seat: dict[str, Any]) -> int:
    for name in ("money", "points"):
        if name in seat:
            return int(seat[name])
    return -int(seat.get("missing", 0))


def faults_of(step: Step) -> list[tuple[Seat, str]]:
    """Who failed in this step, and how."""
    codes = step.get("fault")
    if isinstance(codes, list):
        return [(seat, code) for seat, code in enumerate(codes) if code]
    return [(step["seat"], codes)] if codes else []


def chapters(steps: list[Step]) -> list[Start]:
    """Phases, stages, unique moves and what lies between them."""
    found = [Start(0, "Start")]
    unique, turns = True, 0
    for step in steps:
        if step["t"] in ("phase", "stage"):
            found.append(Start(step["i"], f"{step['t'].capitalize()} {step[step['t']]}"))
        elif step["t"] == "turn":
            turns += 1
            if step["move"] == "unique":
                found.append(Start(step["i"], f"{SEAT_LETTERS[step['seat']]}’s unique move"))
            elif unique:
                found.append(Start(step["i"], f"From turn {turns}"))
            unique = step["move"] == "unique"
    return found


def rounds(steps: list[Step]) -> list[Start]:
    """Rounds, or turns where the game has them."""
    found: list[Start] = []
    number = 0
    for step in steps:
        if step["t"] in ("phase", "stage"):
            number = 0
        if step["t"] in ("deal", "turn"):
            number += 1
            word = "Round" if step["t"] == "deal" else "Turn"
            found.append(Start(step["i"], f"{word} {number}"))
    return found


def barters(steps: list[Step]) -> list[BarterSummary]:
    """Every barter with its course."""
    found: list[BarterSummary] = []
    for step in steps:
        if step["t"] == "barter":
            found.append(BarterSummary(step["i"], step["i"], 0, None))
        elif step["t"] in _IN_BARTER:
            last = found[-1]
            accept = step if step["t"] == "accept" else last.accept
            found[-1] = BarterSummary(
                last.i, step["i"], last.offers + (step["t"] == "offer"), accept
            )
    return found


def marks(record: Record, remarks: list[dict[str, Any]]) -> list[Mark]:
    """Barters, scorings, faults, lead changes, shown cards, missed wins and the end."""
    steps = record["steps"]
    found = [
        mark
        for before, step in zip([{}, *steps], steps, strict=False)
        for mark in _marks_of(step, before, record)
    ]
    found += _lead_changes(record)
    found += [Mark(r["i"], "missed", "Missed win") for r in remarks if r["kind"] == "missed-win"]
    return sorted(found)


def _marks_of(step: Step, before: Step, record: Record) -> Iterator[Mark]:
    i = step["i"]
    if step["t"] == "barter":
        yield Mark(i, "barter", f"Barter for {step['action']}")
    if step["t"] in SCORING and before["t"] not in SCORING:
        yield Mark(i, "scoring", "Scoring")
    if step.get("move") == "show":
        shown = f"{SEAT_LETTERS[step['seat']]} shows {title(step['card'])}"
        yield Mark(i, "special", shown)
    for fault in record["faults"]:
        if fault["step"] == i:
            yield Mark(i, "fault", f"Fault {fault['code']} of {SEAT_LETTERS[fault['seat']]}")
    if step["t"] == "end":
        yield Mark(i, "end", "The end")


def _lead_changes(record: Record) -> Iterator[Mark]:
    leader: Seat | None = None
    for i, scores in enumerate(standing(record)):
        most = max(scores, default=0)
        if scores.count(most) == 1 and scores.index(most) != leader:
            if leader is not None:
                text = f"{SEAT_LETTERS[scores.index(most)]} takes the lead"
                yield Mark(i, "lead", text)
            leader = scores.index(most)


def times(steps: list[Step]) -> list[int]:
    """For how many ms each step is shown at speed 1."""
    shown = [SHOWN_MS.get(step["t"], 600) for step in steps]
    factor = min(1.0, MAX_REPLAY_MS / sum(shown))
    return [int(ms * factor) for ms in shown]


@dataclass(slots=True)
class _Selection:
    """Steps of the short version, as long as there is time left."""

    times: list[int]
    chosen: set[int]
    left: int = HIGHLIGHTS_MS

    def take(self, *steps: int) -> None:
        """All of these steps, or none if they take too long."""
        fresh = set(steps) - self.chosen
        cost = sum(self.times[i] for i in fresh)
        if cost <= self.left:
            self.left -= cost
            self.chosen |= fresh


def highlights(steps: list[Step], found: list[Mark]) -> list[int]:
    """The short version: what matters most comes in first, until 40 seconds are full."""
    selection = _Selection([SHOWN_MS.get(step["t"], 600) for step in steps], set())

    def of(kind: str) -> list[int]:
        return [mark.i for mark in found if mark.kind == kind]

    selection.take(0, len(steps) - 1)
    for i in of("fault")[:5]:
        selection.take(i)
    for chapter in chapters(steps):
        selection.take(chapter.i)
    for step in steps:
        if step["t"] in SCORING:
            selection.take(step["i"])
    for i in of("missed"):
        selection.take(i)
    long = [course for course in barters(steps) if course.offers >= LONG_BARTER]
    for course in sorted(long, key=lambda course: -course.offers):
        selection.take(*range(course.i, course.end + 1))
    for i in of("special") + of("lead")[::-1]:
        selection.take(i)
    if ticks := rounds(steps):
        selection.take(*range(ticks[-1].i, len(steps)))
    return sorted(selection.chosen)

"""How the two barter games are told to people: barters, scorings and the gems of everybody."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar

from engine.barter.gems import INDEX, NAMES, VALUE
from engine.barter.narration import gems as gems_in_words, name
from engine.barter.rounds import ActionRound, BarterSummary, action_rounds, barter_spans, barters
from engine.facets.presentation import (
    Cell,
    Chart,
    ChartGroup,
    Inline,
    Mark,
    MarkKind,
    Presentation,
    Record,
    Scene,
    Series,
    Sheet,
    SheetCell,
    SheetLine,
    Start,
    Step,
    Steps,
    Table,
)
from engine.record.views import views_of
from engine.seats import Seat

LONG_BARTER = 4
"""Offers from which on a barter is worth a place among the highlights."""
_GEMS = re.compile(rf"\b(?P<count>\d+) (?P<colour>{'|'.join(NAMES)})\b")
_BARTER_STEPS = frozenset({"barter", "offer", "decline", "accept", "free_win", "lapse"})
_FATES = {
    "alone": ("●", "alone"),
    "turns": ("●", "in turn"),
    "won": ("◉", "won the barter"),
    "sold": ("◐", "sold it"),
    "cancelled": ("✕", "cancelled"),
    "nobody": ("✕", "nobody got it"),
}
_LEGEND = "● alone or in turn · ◉ won the barter · ◐ sold it · ✕ nobody got it"


class BarterPresentation(Presentation):
    """What both games have in common. A game names its chapters, its score and its last scoring."""

    chapter_step: str
    """The step that begins a chapter, and the field with its number."""
    last_scoring: str
    """The step that ends a scoring: what else is paid besides the four colours."""
    durations_ms: ClassVar[Mapping[str, int]] = (
        dict.fromkeys(("start", "phase", "stage", "accept", "source", "use"), 800)
        | dict.fromkeys(("score", "certificates", "workers"), 1000)
        | {"deal": 400, "choose": 900, "barter": 500, "offer": 550, "decline": 550, "keep": 400}
        | {"end": 1500}
    )
    mark_kinds: ClassVar[Mapping[str, MarkKind]] = {"barter": MarkKind("barter", "M-4-3h8v6h-8Z")}
    jump_kind = "barter"
    returned_label = "Back to the supply"
    filters: ClassVar[Mapping[str, str]] = {"barter": "barters"}

    def chapters(self, steps: Steps) -> list[Start]:
        """Return the phases or stages."""
        word = self.chapter_step.capitalize()
        return [Start(0, "Start")] + [
            Start(step["i"], f"{word} {step[self.chapter_step]}")
            for step in steps
            if step["t"] == self.chapter_step
        ]

    def rounds(self, steps: Steps) -> list[Start]:
        """Return the rounds, numbered from 1 in each chapter."""
        starts: list[Start] = []
        number = 0
        for step in steps:
            if step["t"] == self.chapter_step:
                number = 0
            elif step["t"] == "deal":
                number += 1
                starts.append(Start(step["i"], f"Round {number}"))
        return starts

    def milestones(self, steps: Steps) -> list[Start]:
        """Return the end of each scoring."""
        names = [start.name for start in self.chapters(steps)[1:]]
        ends = [step["i"] for step in steps if step["t"] == self.last_scoring]
        return [Start(i, chapter) for i, chapter in zip(ends, names, strict=False)]

    def is_scoring(self, step: Step) -> bool:
        """Return whether colours, certificates or workers are paid in this step."""
        return step["t"] in ("score", self.last_scoring)

    def marks(self, steps: Steps) -> list[Mark]:
        """Return a mark for each barter."""
        return [
            Mark(step["i"], "barter", f"Barter for {step['action']}")
            for step in steps
            if step["t"] == "barter"
        ]

    def scenes(self, steps: Steps) -> list[Scene]:
        """Return the long barters."""
        return [
            Scene(
                one.first,
                one.last,
                one.offers,
                f"Barter for {steps[one.first]['action']}, {one.offers} offers",
            )
            for one in barters(steps)
            if one.offers >= LONG_BARTER
        ]

    def filter_of(self, step: Step) -> str | None:
        """Return whether the line belongs to a barter."""
        return "barter" if step["t"] in _BARTER_STEPS else None

    def charts(self, record: Record, if_scored: Series | None) -> list[Chart | ChartGroup]:
        """Add a small chart for each colour of gems."""
        hands = [[seat["gems"] for seat in view["seats"]] for view in views_of(record)]
        colours = [
            Chart(
                colour.capitalize(), f"{colour} gems", [[gems[c] for gems in row] for row in hands]
            )
            for c, colour in enumerate(NAMES)
        ]
        return [*super().charts(record, if_scored), ChartGroup("Gems", colours)]

    def sheets(self, record: Record) -> list[Sheet]:
        """Return how each scoring came to its sums, colour by colour."""
        scores = self.scores(record)
        # A line tells of the hands before it: gems go back when they are scored.
        hands = {
            step["i"]: [seat["gems"] for seat in view["seats"]]
            for step, view in zip(record["steps"][1:], views_of(record), strict=False)
            if step["t"] == "score"
        }
        sheets = []
        for group in self._scorings(record["steps"]):
            before, after = scores[group[0]["i"] - 1], scores[group[-1]["i"]]
            gained = [now - then for then, now in zip(before, after, strict=True)]
            lines = [_line(step, hands.get(step["i"])) for step in group]
            sheets.append(Sheet(lines, gained, after))
        return sheets

    def _scorings(self, steps: Steps) -> Iterator[list[Step]]:
        """Yield the steps of each scoring."""
        group: list[Step] = []
        for step, following in pairwise(steps):
            if self.is_scoring(step):
                group.append(step)
                if not self.is_scoring(following):
                    yield group
                    group = []

    def tables(self, record: Record) -> list[Table]:
        """Return what everybody chose, and what the barters came to."""
        steps = record["steps"]
        return [_actions(steps, len(record["seats"])), _barters(steps)]

    def viewer_data(self, steps: Steps) -> dict[str, Any]:
        """Return the fates of all actions, and how long each barter is on the stage."""
        return {
            "fates": [one.as_data() for one in action_rounds(steps)],
            "scenes": barter_spans(steps),
        }

    def inline(self, text: str) -> Iterator[Inline]:
        """Yield gems: `2 red`."""
        for match in _GEMS.finditer(text):
            colour = match["colour"]
            yield Inline(match.start(), match.end(), colour[0], match["count"], f" {colour}")


def _line(step: Step, hands: list[list[int]] | None) -> SheetLine:
    """Return gems (or certificates, or workers), what was paid for them, and what went back."""
    seats = range(len(step["paid"]))
    bonus = step.get("bonus") or [0 for _ in seats]
    if hands is None:
        title, icon, worth = step["t"].capitalize(), "", None
        counts = step["held"] if "held" in step else step["count"]
        majority = ""
    else:
        colour = INDEX[step["colour"]]
        title, icon, worth = NAMES[colour].capitalize(), NAMES[colour][0], VALUE[colour]
        counts = [gems[colour] for gems in hands]
        majority = "shared" if sum(map(bool, step["paid"])) > 1 else "alone"
    cells = [SheetCell(counts[s], step["paid"][s], majority, bonus[s]) for s in seats]
    return SheetLine(step["i"], title, icon, worth, cells, step.get("returned", []))


def _actions(steps: Steps, seats: int) -> Table:
    """Return a column for each round, a row for each seat: the action's first letter and fate."""
    chosen = [step for step in steps if step["t"] == "choose"]
    played = list(zip(chosen, action_rounds(steps), strict=True))
    head = (
        Cell("Round"),
        *(Cell(str(number), step["i"]) for number, step in enumerate(chosen, 1)),
    )
    rows = [
        [Cell(name(seat)), *(_action(seat, step["moves"][seat], one) for step, one in played)]
        for seat in range(seats)
    ]
    return Table("Actions", head, rows, _LEGEND, style="grid")


def _action(seat: Seat, action: str, one: ActionRound) -> Cell:
    fate = one.result(action).of(seat)
    sign, words = _FATES[fate]
    return Cell(action[0].upper(), style=fate, sign=sign, hint=f"{action}, {words}")


def _barters(steps: Steps) -> Table:
    """Return every barter: what for, between whom, how many offers, at what price."""
    head = tuple(map(Cell, ("Step", "For", "Opened", "Offers", "Sold by", "Price")))
    rows = [_barter_row(steps, one) for one in barters(steps)]
    return Table("Barters", head, rows, "" if rows else "Nobody had to barter in this match.")


def _barter_row(steps: Steps, one: BarterSummary) -> list[Cell]:
    opening, accept = steps[one.first], one.accept
    return [
        Cell(str(one.first), one.first),
        Cell(opening["action"]),
        Cell(name(opening["opener"])),
        Cell(str(one.offers), style="number"),
        Cell(f"{name(accept['seat'])} to {name(accept['from'])}" if accept else "–"),
        Cell(gems_in_words(accept["gems"]) if accept else "no trade"),
    ]

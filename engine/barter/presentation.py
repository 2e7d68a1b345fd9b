"""How the two barter games are presented to people: barters, scorings and the gems of everybody."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import ClassVar

from engine.barter.gems import INDEX, NAMES, VALUE
from engine.barter.narration import gems as gems_in_words
from engine.barter.rounds import ActionRound, BarterSummary, action_rounds, barter_spans, barters
from engine.barter.steps import Score, typed
from engine.facets.presentation import (
    Cell,
    Chart,
    ChartGroup,
    Inline,
    Mark,
    MarkKind,
    Presentation,
    Scene,
    Series,
    Sheet,
    SheetCell,
    SheetLine,
    Start,
    Steps,
    Table,
)
from engine.narration import name
from engine.record.types import AnyRecord, AnyStep, Json
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
    last_count: str
    """Its field with what each seat has of that."""
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

    def is_scoring(self, step: AnyStep) -> bool:
        """Return whether colours, certificates or workers are paid in this step."""
        return step["t"] in ("score", self.last_scoring)

    def marks(self, steps: Steps) -> list[Mark]:
        """Return a mark for each barter."""
        return [
            Mark(step["i"], "barter", f"Barter for {step['action']}")
            for step in typed(steps)
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

    def filter_of(self, step: AnyStep) -> str | None:
        """Return whether the line belongs to a barter."""
        return "barter" if step["t"] in _BARTER_STEPS else None

    def charts(self, record: AnyRecord, if_scored: Series | None) -> list[Chart | ChartGroup]:
        """Add a small chart for each colour of gems."""
        hands = [[seat["gems"] for seat in view["seats"]] for view in views_of(record)]
        colours = [
            Chart(
                colour.capitalize(), f"{colour} gems", [[gems[c] for gems in row] for row in hands]
            )
            for c, colour in enumerate(NAMES)
        ]
        return [*super().charts(record, if_scored), ChartGroup("Gems", colours)]

    def sheets(self, record: AnyRecord) -> list[Sheet]:
        """Return how each scoring came to its sums, colour by colour."""
        scores = self.scores(record)
        sheets = []
        for lines in self._scorings(record):
            before, after = scores[lines[0].i - 1], scores[lines[-1].i]
            gained = [now - then for then, now in zip(before, after, strict=True)]
            sheets.append(Sheet(lines, gained, after))
        return sheets

    def _scorings(self, record: AnyRecord) -> Iterator[list[SheetLine]]:
        """Yield the lines of each scoring."""
        lines: list[SheetLine] = []
        steps = typed(record["steps"])
        # A line tells of the hands before it: gems go back when they are scored.
        for (step, following), view in zip(pairwise(steps[1:]), views_of(record), strict=False):
            if step["t"] == "score":
                lines.append(_colour_line(step, [seat["gems"] for seat in view["seats"]]))
            elif self.is_scoring(step):
                lines.append(self._last_line(step))
            if lines and not self.is_scoring(following):
                yield lines
                lines = []

    def _last_line(self, step: AnyStep) -> SheetLine:
        """Return what was paid for certificates or workers."""
        pairs = zip(step[self.last_count], step["paid"], strict=True)
        cells = [SheetCell(count, paid) for count, paid in pairs]
        return SheetLine(step["i"], step["t"].capitalize(), "", None, cells, [])

    def tables(self, record: AnyRecord) -> list[Table]:
        """Return what everybody chose, and what the barters came to."""
        steps = record["steps"]
        return [_actions(steps, len(record["seats"])), _barters(steps)]

    def viewer_data(self, steps: Steps) -> dict[str, Json]:
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


def _colour_line(step: Score, hands: list[list[int]]) -> SheetLine:
    """Return the gems of a colour, what was paid for them, and what went back."""
    colour, paid = INDEX[step["colour"]], step["paid"]
    bonus = step.get("bonus") or [0] * len(paid)
    majority = "shared" if sum(map(bool, paid)) > 1 else "alone"
    cells = [
        SheetCell(hand[colour], paid[seat], majority, bonus[seat])
        for seat, hand in enumerate(hands)
    ]
    title, icon = NAMES[colour].capitalize(), NAMES[colour][0]
    return SheetLine(step["i"], title, icon, VALUE[colour], cells, step["returned"])


def _actions(steps: Steps, seats: int) -> Table:
    """Return a column for each round, a row for each seat: the action's first letter and fate."""
    choices = [step for step in typed(steps) if step["t"] == "choose"]
    columns = list(zip(choices, action_rounds(steps), strict=True))
    head = (
        Cell("Round"),
        *(Cell(str(number), step["i"]) for number, step in enumerate(choices, 1)),
    )
    rows = [
        [Cell(name(seat)), *(_action(seat, step["moves"][seat], one) for step, one in columns)]
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

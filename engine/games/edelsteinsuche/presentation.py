"""How Edelsteinsuche is presented to people."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from engine.facets.presentation import (
    Chart,
    ChartGroup,
    Inline,
    Mark,
    MarkKind,
    Presentation,
    Series,
    Start,
    Steps,
)
from engine.games.edelsteinsuche.cards import NAMES, SERIES, title
from engine.games.edelsteinsuche.steps import typed
from engine.record.types import AnyRecord, Json
from engine.record.views import views_of
from engine.seats import seat_letter

_CARD = re.compile(rf"\b(?P<gem>{'|'.join(NAMES.values())}) \d\b")
_ICONS = {"Opal": "o", "Ruby": "r", "Sapphire": "b", "Emerald": "g"}


class EdelsteinsuchePresentation(Presentation):
    """A race for five cards: the score is how many are missing, below zero."""

    score_label = "Cards missing"
    score_unit = "open cards"
    score_field = "missing"
    score_sign = -1
    has_margins = False
    durations_ms: ClassVar[Mapping[str, int]] = {
        "start": 800,
        "turn": 250,
        "place": 700,
        "more": 300,
        "end": 1500,
    }
    mark_kinds: ClassVar[Mapping[str, MarkKind]] = {
        "special": MarkKind("card shown", "M0-6 6 0 0 6-6 0Z", below=True)
    }
    numbers: ClassVar[Mapping[str, Json]] = {"series": SERIES, "gems": NAMES}

    def format_score(self, score: int) -> str:
        """Return `2 missing`."""
        return f"{-score} missing" if score else "complete"

    def format_short(self, score: int) -> str:
        """Return how many of the five cards lie open."""
        return f"{SERIES + score} of {SERIES}"

    def format_mean(self, mean: float) -> str:
        """Return how many cards were missing on average."""
        return f"{-mean:.1f}".replace("-0.0", "0.0")

    def chapters(self, steps: Steps) -> list[Start]:
        """Return the unique moves and what lies between them."""
        starts = [Start(0, "Start")]
        was_unique, turns = True, 0
        for step in typed(steps):
            if step["t"] != "turn":
                continue
            turns += 1
            is_unique = step["move"] == "unique"
            if is_unique:
                name = f"{seat_letter(step['seat'])}’s unique move"
                starts.append(Start(step["i"], name, "Unique move"))
            elif was_unique:
                starts.append(Start(step["i"], f"From turn {turns}"))
            was_unique = is_unique
        return starts

    def rounds(self, steps: Steps) -> list[Start]:
        """Return the turns."""
        turns = [step["i"] for step in steps if step["t"] == "turn"]
        return [Start(i, f"Turn {number}") for number, i in enumerate(turns, 1)]

    def milestones(self, steps: Steps) -> list[Start]:
        """Return the end, with the number of turns."""
        turns = sum(step["t"] == "turn" for step in steps)
        return [Start(len(steps) - 1, f"Turn {turns}")]

    def marks(self, steps: Steps) -> list[Mark]:
        """Return a mark for each card that is shown."""
        return [
            Mark(step["i"], "special", f"{seat_letter(step['seat'])} shows {title(step['card'])}")
            for step in typed(steps)
            if step["t"] == "place" and step["move"] == "show"
        ]

    def charts(self, record: AnyRecord, if_scored: Series | None) -> list[Chart | ChartGroup]:
        """Return open cards and, unless hidden, known cards."""
        open_cards = [[SERIES + score for score in row] for row in self.scores(record)]
        charts: list[Chart | ChartGroup] = [Chart("Open cards", "open cards", open_cards)]
        if "redacted" not in record:
            charts.append(Chart("Known cards", "known cards", _known(record)))
        return charts

    def card_title(self, card: str) -> str:
        """Return the name of a card, such as Sapphire 4."""
        return title(card)

    def inline(self, text: str) -> Iterator[Inline]:
        """Yield cards: `Sapphire 4`."""
        for match in _CARD.finditer(text):
            yield Inline(match.start(), match.end(), _ICONS[match["gem"]], match[0])


def _known(record: AnyRecord) -> Series:
    return [
        [sum(len(row) - row.count(None) for row in table) for table in view["known"]]
        for view in views_of(record)
    ]

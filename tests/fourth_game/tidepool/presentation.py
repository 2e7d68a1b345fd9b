"""How Tidepool is told to people."""

from collections.abc import Mapping
from typing import ClassVar

from engine.facets.presentation import Mark, MarkKind, Presentation, Start, Steps
from engine.seats import seat_letter


class TidepoolPresentation(Presentation):
    """Tides are the chapters; pearls decide."""

    score_label = "Pearls"
    score_unit = "pearls"
    score_field = "pearls"
    mark_kinds: ClassVar[Mapping[str, MarkKind]] = {
        "award": MarkKind("large shell", "M0-6 6 6h-12Z", below=True)
    }

    def chapters(self, steps: Steps) -> list[Start]:
        """Return the tides."""
        tides = [step["i"] for step in steps if step["t"] == "tide"]
        return [Start(0, "Start"), *(Start(i, f"Tide {n}") for n, i in enumerate(tides, 1))]

    def marks(self, steps: Steps) -> list[Mark]:
        """Return a mark for each shell worth fighting for."""
        return [
            Mark(step["i"], "award", f"{seat_letter(step['winner'])} takes {step['shell']} pearls")
            for step in steps
            if step["t"] == "award" and step["shell"] >= 6
        ]

"""How Edel, Stein & Reich is presented to people."""

from collections.abc import Mapping
from typing import ClassVar

from engine.barter.gems import VALUE
from engine.barter.presentation import BarterPresentation
from engine.games.edel_stein_reich.cards import FIRST_CERTIFICATES, SECOND_CERTIFICATES
from engine.games.edel_stein_reich.rules import LOW_SUPPLY
from engine.games.edel_stein_reich.state import PHASES, ROUNDS
from engine.record.types import Json


class EdelSteinReichPresentation(BarterPresentation):
    """Three phases; money decides, counted in millions."""

    chapter_step = "phase"
    last_scoring = "certificates"
    last_count = "held"
    score_label = "Money"
    score_unit = "million"
    score_field = "money"
    bonus_label = "event cards"
    numbers: ClassVar[Mapping[str, Json]] = {
        "values": list(VALUE),
        "phases": PHASES,
        "rounds": ROUNDS,
        "low_supply": LOW_SUPPLY,
        "certificates": [FIRST_CERTIFICATES, SECOND_CERTIFICATES],
    }

    def format_score(self, score: int) -> str:
        """Return `38M`."""
        return self.format_short(score)

    def format_short(self, score: int) -> str:
        """Return `38M`."""
        return f"{super().format_short(score)}M"

    def format_mean(self, mean: float) -> str:
        """Return `34.2M`."""
        return f"{super().format_mean(mean)}M"

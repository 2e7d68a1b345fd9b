"""How Basari is presented to people."""

from collections.abc import Mapping
from typing import ClassVar

from engine.barter.gems import VALUE
from engine.barter.presentation import BarterPresentation
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD
from engine.games.basari.state import STAGES
from engine.record.types import Json


class BasariPresentation(BarterPresentation):
    """Three stages; points decide."""

    chapter_step = "stage"
    last_scoring = "workers"
    last_count = "count"
    score_label = "Points"
    score_unit = "points"
    score_field = "points"
    numbers: ClassVar[Mapping[str, Json]] = {
        "values": list(VALUE),
        "stages": STAGES,
        "workers": ENOUGH_WORKERS,
        "award": WORKER_AWARD,
    }

"""How a seat plays Basari."""

from engine.barter.statistics import BarterStatistics

STATISTICS = BarterStatistics(("points", "workers", "gems", "free"))

"""How a seat plays Edel, Stein & Reich."""

from engine.barter.statistics import BarterStatistics

STATISTICS = BarterStatistics(("money", "event", "gems", "free"))

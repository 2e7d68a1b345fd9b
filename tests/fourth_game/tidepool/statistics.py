"""How a seat plays Tidepool: how high it bids, and how often it wins a shell."""

from collections import Counter
from collections.abc import Mapping

from engine.facets.statistics import Fact, Statistics
from engine.record.types import AnyRecord


class TidepoolStatistics(Statistics):
    """Counts bids and shells."""

    def count(self, record: AnyRecord, counters: list[Counter[str]]) -> None:
        """Add the bids and shells of every seat."""
        for step in record["steps"]:
            if step["t"] == "bid":
                for seat, bid in enumerate(step["moves"]):
                    counters[seat].update({"bids": 1, "bid total": int(bid[1:])})
            elif step["t"] == "award":
                counters[step["winner"]]["shells"] += 1

    def facts(self, matches: int, counts: Mapping[str, int]) -> list[Fact]:
        """Return the mean bid and the shells of a match."""
        if not counts.get("bids") or not matches:
            return []
        return [
            Fact("Mean bid", f"{counts['bid total'] / counts['bids']:.0f}"),
            Fact("Shells in a match", f"{counts.get('shells', 0) / matches:.1f}"),
        ]

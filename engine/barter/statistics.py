"""How a seat plays a barter game: what it chooses, what becomes of it, and at what price."""

from collections import Counter
from collections.abc import Mapping

from engine.barter.rounds import action_rounds
from engine.barter.steps import typed
from engine.facets.statistics import Fact, Shares, Statistics, shares_of
from engine.record.types import AnyRecord

_FATES = (
    ("alone", "alone"),
    ("turns", "in turn"),
    ("won", "barter won"),
    ("sold", "sold"),
    ("cancelled", "cancelled"),
    ("nobody", "nobody got it"),
)


class BarterStatistics(Statistics):
    """Counts actions, their fates, and gems paid and earned."""

    def __init__(self, actions: tuple[str, ...]) -> None:
        self.actions = actions

    def count(self, record: AnyRecord, counters: list[Counter[str]]) -> None:
        """Add the choices and barters of every seat."""
        steps = typed(record["steps"])
        choices = [step["moves"] for step in steps if step["t"] == "choose"]
        for moves, one in zip(choices, action_rounds(record["steps"]), strict=True):
            for seat, action in enumerate(moves):
                counters[seat][f"chosen {action}"] += 1
                counters[seat][f"fate {one.result(action).of(seat)}"] += 1
        for step in steps:
            # An action won for nothing has no price.
            if step["t"] == "accept":
                gems = sum(step["gems"])
                counters[step["from"]].update({"bought": 1, "paid": gems})
                counters[step["seat"]].update({"sold": 1, "earned": gems})

    def shares(self, counts: Mapping[str, int]) -> list[Shares]:
        """Return the actions a bot chooses, and what becomes of them."""
        actions = [(action, counts.get(f"chosen {action}", 0)) for action in self.actions]
        fates = [(words, counts.get(f"fate {fate}", 0)) for fate, words in _FATES]
        return [shares_of("Actions chosen", actions), shares_of("What became of them", fates)]

    def facts(self, matches: int, counts: Mapping[str, int]) -> list[Fact]:
        """Return the prices a bot pays and gets."""
        facts = []
        if bought := counts.get("bought"):
            facts.append(Fact("Average price paid", _gems(counts.get("paid", 0) / bought)))
        if sold := counts.get("sold"):
            facts.append(Fact("Average price got", _gems(counts.get("earned", 0) / sold)))
        return facts


def _gems(mean: float) -> str:
    return f"{mean:.1f} gems"

"""How a seat plays Edelsteinsuche: where it draws, what it shows, when it uses its unique move."""

from collections import Counter
from collections.abc import Mapping

from engine.facets.statistics import Fact, Statistics
from engine.games.edelsteinsuche.steps import typed
from engine.record.types import AnyRecord
from engine.record.views import views_of


class EdelsteinsucheStatistics(Statistics):
    """Counts turns, draws and cards shown."""

    def count(self, record: AnyRecord, counters: list[Counter[str]]) -> None:
        """Add what every seat did. What it knows changes when a card is placed, not when drawn."""
        for step, view in zip(typed(record["steps"]), views_of(record), strict=True):
            if step["t"] == "turn":
                counter = counters[step["seat"]]
                counter["turns"] += 1
                if step["move"] == "unique":
                    counter.update({"unique": 1, "unique turn": counter["turns"]})
            elif step["t"] == "draw":
                row, slot = map(int, step["move"].removeprefix("draw ").split("."))
                knew = view["known"][step["seat"]][row][slot - 1] is not None
                counters[step["seat"]].update({"draws": 1, "draws known": int(knew)})
            elif step["t"] == "place":
                counters[step["seat"]]["shown" if step["move"] == "show" else "hidden"] += 1

    def facts(self, matches: int, counts: Mapping[str, int]) -> list[Fact]:
        """Return how long it takes, what it draws and what it shows."""
        turns, draws = counts.get("turns"), counts.get("draws")
        if not turns or not draws or not matches:
            return []
        facts = [
            Fact("Turns in a match", f"{turns / matches:.0f}"),
            Fact("Draws a card it knows", _percent(counts.get("draws known", 0) / draws)),
            Fact("Shows the card it drew", _percent(counts.get("shown", 0) / draws)),
        ]
        if unique := counts.get("unique"):
            turn = counts.get("unique turn", 0) / unique
            words = f"in {_percent(unique / matches)} of matches, in turn {turn:.0f} on average"
            facts.append(Fact("Unique move", words))
        return facts


def _percent(share: float) -> str:
    return f"{share * 100:.0f}\N{NARROW NO-BREAK SPACE}%"

"""How the seats of a match played, as the game itself counts it.

Pure: reads a public record, so the same numbers come out whenever it is read again.
"""

from engine.facets.statistics import Counts, Statistics, count_match
from engine.registry import GAMES
from league.matches.records.codec import Record

__all__ = ["Counts", "styles"]


def styles(record: Record) -> list[Counts]:
    """Return for each seat what it did: `chosen gems`, `fate sold`, `paid`, `ms 12` …"""
    game = GAMES.get(record["game"])
    return count_match(game.statistics if game else Statistics(), record)

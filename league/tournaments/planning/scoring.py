"""From results to points. To sit out, or a match the league gave up, counts as an average match."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from league.tournaments.planning.config import Config
from league.tournaments.planning.plan import EntryId, Round, Table


def table_points(config: Config, played: Round, table: Table) -> dict[EntryId, Fraction]:
    """What each entry at a table has got in this round."""
    got = dict.fromkeys(table.entries, Fraction(0))
    for match, result in table.played():
        idle = result.void and config.idle(played)
        awards = [idle] * len(match.seats) if result.void else config.award(result)
        for entry, points in zip(match.seats, awards, strict=True):
            got[entry] += points
    return got


def round_points(config: Config, played: Round) -> dict[EntryId, Fraction]:
    """What each entry has got in a round, byes included."""
    rested = config.idle(played) * config.games_per_table
    got = dict.fromkeys(played.byes, rested)
    for table in played.tables:
        got |= table_points(config, played, table)
    return got


def totals(config: Config, rounds: Iterable[Round]) -> dict[EntryId, Fraction]:
    """What each entry has got so far."""
    got: defaultdict[EntryId, Fraction] = defaultdict(Fraction)
    for played in rounds:
        for entry, points in round_points(config, played).items():
            got[entry] += points
    return got

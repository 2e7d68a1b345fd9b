"""From results to points. A bye or a void match counts as an average match."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from league.tournaments.planning.config import Config
from league.tournaments.planning.plan import EntryId, Round, Table


def table_points(config: Config, played: Round, table: Table) -> dict[EntryId, Fraction]:
    """Return the points of each entry at a table in this round."""
    points_of = dict.fromkeys(table.entries, Fraction(0))
    for match, result in table.played():
        idle = result.void and config.idle(played)
        awards = [idle] * len(match.seats) if result.void else config.award(result)
        for entry, points in zip(match.seats, awards, strict=True):
            points_of[entry] += points
    return points_of


def bye_points(config: Config, played: Round) -> Fraction:
    """Return what those who sit out a round get: as much as in average matches."""
    return config.idle(played) * config.games_per_table


def round_points(config: Config, played: Round) -> dict[EntryId, Fraction]:
    """Return the points of each entry in a round, byes included."""
    points_of = dict.fromkeys(played.byes, bye_points(config, played))
    for table in played.tables:
        points_of |= table_points(config, played, table)
    return points_of


def totals(config: Config, rounds: Iterable[Round]) -> dict[EntryId, Fraction]:
    """Return the points of each entry so far."""
    totals_of: defaultdict[EntryId, Fraction] = defaultdict(Fraction)
    for played in rounds:
        for entry, points in round_points(config, played).items():
            totals_of[entry] += points
    return totals_of

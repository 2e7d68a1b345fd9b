"""The tables of a round as pages show them: seats, progress, and the match to watch."""

from collections import defaultdict
from dataclasses import dataclass, replace

from league.matches.models import Match
from league.tournaments import models, presentation
from league.tournaments.models import Entry
from league.tournaments.planning.plan import Round, Table
from league.tournaments.planning.scoring import table_points
from league.tournaments.queries.standing import Standing

_OVER = frozenset({Match.Status.FINISHED, Match.Status.VOID})
SEALED = "sealed"
"""Stands for the status of a sealed game: not even its end is public."""


@dataclass(frozen=True, slots=True)
class GameCell:
    """A planned match and the match in which it is played."""

    number: int
    deal: int
    rotation: int
    match: int
    status: str
    hidden: bool
    attempt: int
    rated: bool
    """Whether it is in the ledger of ratings."""
    sealed: bool = False

    @property
    def watchable(self) -> bool:
        """Return whether its page can be opened."""
        return self.status == Match.Status.FINISHED and not self.hidden


@dataclass(frozen=True, slots=True)
class SeatCell:
    """An entry at a table, with its points there."""

    entry: Entry
    points: str


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table of a round."""

    number: int
    letter: str
    advance: int
    seats: list[SeatCell]
    games: list[GameCell]

    @property
    def over(self) -> int:
        """Return how many of its games are over."""
        return sum(game.status in _OVER for game in self.games)

    @property
    def void(self) -> int:
        """Return how many of its games are void."""
        return sum(game.status == Match.Status.VOID for game in self.games)

    @property
    def sealed(self) -> bool:
        """Return whether results of it are sealed."""
        return any(game.sealed for game in self.games)

    @property
    def is_rerun(self) -> bool:
        """Return whether it was re-run."""
        return any(game.attempt > 1 for game in self.games)

    @property
    def rated(self) -> bool:
        """Return whether one of its games is in the ledger of ratings, which is final."""
        return any(game.rated for game in self.games)

    @property
    def watch(self) -> int | None:
        """Return its latest match that can be watched."""
        matches = [game.match for game in self.games if game.watchable]
        return max(matches, default=None)


def tables_of(standing: Standing, row: models.Round) -> list[TableCard]:
    """Return all tables of a round, the top table first."""
    planned = standing.rounds[row.number - 1]
    games = _games(row, planned)
    return [_table(standing, planned, table, games[table.number]) for table in planned.tables]


def _games(row: models.Round, planned: Round) -> dict[int, list[GameCell]]:
    matches = {table.number: table.matches() for table in planned.tables}
    cells: dict[int, list[GameCell]] = defaultdict(list)
    rows = row.games.values_list(
        *("table", "number", "match_id", "match__status", "match__hidden", "attempt"),
        *("match__ledger_position", "match__sealed"),
    )
    for table, number, match, status, hidden, attempt, ledger_position, sealed in rows:
        planned_match = matches[table][number]
        place = number + 1, planned_match.deal, planned_match.rotation + 1
        rated = ledger_position is not None
        cell = GameCell(*place, match, status, hidden, attempt, rated)
        cells[table].append(_masked(cell) if sealed else cell)
    return cells


def _masked(cell: GameCell) -> GameCell:
    """Return a sealed game without what has become of it."""
    return replace(cell, status=SEALED, hidden=True, attempt=1, rated=False, sealed=True)


def _table(standing: Standing, planned: Round, table: Table, games: list[GameCell]) -> TableCard:
    points = table_points(standing.config, planned, table)
    started = any(table.results)
    sign = 1 if standing.config.fewest_wins else -1
    order = (
        sorted(table.entries, key=lambda entry: sign * points[entry]) if started else table.entries
    )
    return TableCard(
        table.number,
        table.letter,
        table.advance,
        [
            SeatCell(standing.entries[entry], presentation.number(points[entry]) if started else "")
            for entry in order
        ],
        games,
    )

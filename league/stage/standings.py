"""The standings and the bracket of an event, as much of them as can be read from ten metres."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.tournaments import presentation
from league.tournaments.planning.bracket import BracketRound, bracket
from league.tournaments.planning.knockout import Knockout
from league.tournaments.queries.rounds import entries_of
from league.tournaments.queries.standing import Standing

MAX_ROWS = 10
MAX_PODS = 4
"""A round of the bracket with more pods is left to the page of the event."""
NEWEST_AT = 3
"""In a board that is being revealed, so many places above the newest one are in sight."""


@dataclass(frozen=True, slots=True)
class Row:
    """A place of the board."""

    place: int
    line: presentation.Line | None
    """None while it is not revealed."""
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """The rows in sight."""

    rows: Sequence[Row]
    points_head: str
    score_head: str
    above: int
    """How many places are above those in sight."""
    below: int
    is_frozen: bool = False


def board_of(standing: Standing) -> Board | None:
    """Return the board; None before the first round."""
    if not standing.started:
        return None
    lines = presentation.lines(
        standing.rows, standing.entries, standing.rounds, standing.tournament.game, standing.config
    )
    rows = [Row(line.place or number, line) for number, line in enumerate(lines, 1)]
    return _board(standing, rows, first=0)


def _board(standing: Standing, rows: Sequence[Row], first: int, frozen: bool = False) -> Board:
    return Board(
        rows[first : first + MAX_ROWS],
        presentation.points_head(standing.config),
        presentation.score_head(standing.tournament.game),
        above=first,
        below=max(0, len(rows) - first - MAX_ROWS),
        is_frozen=frozen,
    )


def bracket_of(standing: Standing) -> list[BracketRound]:
    """Return the last rounds of a knock-out, as far as they can be read; none of other formats."""
    if not isinstance(standing.config, Knockout):
        return []
    locked = entries_of(standing.tournament)
    if not standing.rounds and standing.config.refusal_reason(len(locked)):
        return []
    rounds = bracket(standing.config, locked, standing.rounds)
    return [one for one in rounds if len(one.pods) <= MAX_PODS][-3:]

"""The standings and the bracket of an event, as much of them as can be read from ten metres."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.tournaments import presentation
from league.tournaments.planning import standings
from league.tournaments.planning.bracket import BracketRound, Place, Pod, bracket
from league.tournaments.planning.knockout import Knockout
from league.tournaments.planning.plan import Round
from league.tournaments.queries.rounds import all_rounds_of, entries_of
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import queries as sealing

MAX_ROWS = 8
"""As many as a screen of 16:9 shows in letters that can be read from afar."""
MAX_ROUNDS = 3
MAX_PODS = 4
"""A round of the bracket with more pods is left to the page of the event."""
MAX_LINES = 12
"""The pods of a round share so many lines."""
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
    first: int
    """The number of the first row in sight."""
    total: int
    """How many rows there are altogether."""

    @property
    def last(self) -> int:
        """Return the number of the last row in sight."""
        return self.first + len(self.rows) - 1


@dataclass(frozen=True, slots=True)
class VisiblePod:
    """A table of the bracket, as far as it has room."""

    name: str
    places: Sequence[Place]
    more: int
    """How many places are left out."""

    @property
    def letter(self) -> str:
        """Return the letter by which places of later rounds name it; none for the final table."""
        return self.name.removeprefix("Pod ") if self.name.startswith("Pod ") else ""


@dataclass(frozen=True, slots=True)
class VisibleRound:
    """A round of the bracket."""

    name: str
    pods: Sequence[VisiblePod]


def board_of(standing: Standing) -> Board | None:
    """Return the board; None before the first round. One that is being revealed has gaps."""
    if not standing.started:
        return None
    places = sealing.places(standing.tournament)
    if places and not standing.tournament.over:
        return _revealing_board(standing, places)
    lines = _lines(standing, standing.rows, standing.rounds)
    rows = [Row(line.place or number, line) for number, line in enumerate(lines, 1)]
    return _board(standing, rows, first=0)


def _revealing_board(standing: Standing, places: Sequence[standings.Row | None]) -> Board:
    """Return the part of a board around the place that was revealed last."""
    rounds = all_rounds_of(standing.tournament)
    lines = iter(_lines(standing, [row for row in places if row is not None], rounds))
    hidden = places.count(None)
    newest = next((row.place for row in places if row is not None), None)
    rows = [
        Row(number, None)
        if row is None
        else Row(row.place or number, next(lines), newest=row.place == newest)
        for number, row in enumerate(places, 1)
    ]
    first = max(0, min(hidden - NEWEST_AT, len(rows) - MAX_ROWS))
    return _board(standing, rows, first)


def _lines(
    standing: Standing, rows: Sequence[standings.Row], rounds: Sequence[Round]
) -> list[presentation.Line]:
    return presentation.lines(
        rows, standing.entries, rounds, standing.tournament.game, standing.config
    )


def _board(standing: Standing, rows: Sequence[Row], first: int) -> Board:
    return Board(
        rows[first : first + MAX_ROWS],
        presentation.points_head(standing.config),
        presentation.score_head(standing.tournament.game),
        first=first + 1,
        total=len(rows),
    )


def bracket_of(standing: Standing) -> list[VisibleRound]:
    """Return the last rounds of a knock-out, as far as they can be read; none of other formats."""
    if not isinstance(standing.config, Knockout):
        return []
    locked = entries_of(standing.tournament)
    if not standing.rounds and standing.config.refusal_reason(len(locked)):
        return []
    rounds = bracket(standing.config, locked, standing.rounds)
    return [_visible_round(one) for one in rounds if len(one.pods) <= MAX_PODS][-MAX_ROUNDS:]


def _visible_round(one: BracketRound) -> VisibleRound:
    room = MAX_LINES // len(one.pods)
    return VisibleRound(one.name, [_visible_pod(pod, room) for pod in one.pods])


def _visible_pod(pod: Pod, room: int) -> VisiblePod:
    """Return a pod with at most so many lines; one of them says what is left out."""
    count = len(pod.places)
    visible_count = count if count <= room else room - 1
    return VisiblePod(pod.name, pod.places[:visible_count], count - visible_count)

"""How much of standings and bracket is on a wall: what a screen has room for, with what is new."""

from datetime import timedelta

import pytest

from league.stage import services, standings
from league.stage.panels import panels_of
from league.tournaments.queries.standing import Standing
from tests.league.tournaments.sealing.events import make_event, move_on, play_all

pytestmark = pytest.mark.django_db
KNOCKOUT = {"format": "knockout", "seats": 4, "advance": 2, "deals": 1, "mirrored": False}


def frozen(size):
    """An event that was played under a frozen board, and its wall."""
    event = make_event(size, sealed_from=0, freeze_after_minutes=1)
    play_all(move_on(event, timedelta(minutes=2)))
    return event, services.stage_of(event)


def test_the_place_that_was_just_revealed_is_among_the_rows_in_sight():
    event, stage = frozen(size=15)
    board = standings.board_of(Standing(event))
    assert (board.first, board.last, board.total) == (8, 15, 15)
    for _ in range(6):
        stage.refresh_from_db()
        services.reveal(stage, stage.revision, event.organiser, "")
        event.refresh_from_db()
        board = standings.board_of(Standing(event))
        at = [number for number, row in enumerate(board.rows) if row.newest]
        assert at, "nothing is new"
        assert at[0] <= standings.NEWEST_AT or board.last == board.total
        assert len(board.rows) == standings.MAX_ROWS
    assert "–" in panels_of(event)["standings"].html.partition("<table")[0]


@pytest.mark.parametrize(
    ("size", "lines"),
    [
        pytest.param(16, [[3, 3, 3, 3], [4, 4], [4]], id="four pods have three lines each"),
        pytest.param(8, [[4, 4], [4]], id="all of two pods"),
    ],
)
def test_the_pods_of_a_round_share_the_lines_of_a_column(size, lines):
    standing = Standing(make_event(size, KNOCKOUT))
    rounds = standings.bracket_of(standing)
    shown = [[len(pod.places) + bool(pod.more) for pod in one.pods] for one in rounds]
    assert shown == lines
    for one in rounds:
        assert all(len(pod.places) + pod.more == 4 for pod in one.pods)
        assert sum(len(pod.places) + bool(pod.more) for pod in one.pods) <= standings.MAX_LINES
    assert ("and 2 more" in panels_of(standing.tournament)["bracket"].html) is (size == 16)

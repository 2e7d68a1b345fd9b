"""The chain of tie-breaks: points, head-to-head, score, rating, shared place."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from engine.game import placements
from engine.registry import GAMES
from league.tournaments.planning.formats import ROUND_ROBIN, SERIES, SWISS
from league.tournaments.planning.plan import VOID, Entry, Result, Round, Table, shared_points
from league.tournaments.planning.standings import standings
from tests.league.tournaments.pretend import field

DUEL = SWISS.config(seats=2)


def duels(*games):
    """A round of tables of two, each given as two entries and their scores."""
    tables = tuple(
        Table(number, (one, two), results=(Result(tuple(placements([a, b])), (a, b)),))
        for number, (one, two, a, b) in enumerate(games, 1)
    )
    return Round(1, tables)


def lines(rows):
    return [(row.place, row.entry, row.decided_by) for row in rows]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        pytest.param((1, 2, 3, 4), [5, 3, 1, 0], id="no ties"),
        pytest.param((1, 1, 3, 4), [4, 4, 1, 0], id="two share the first place"),
        pytest.param(
            (2, 1, 2, 2), [Fraction(4, 3), 5, Fraction(4, 3), Fraction(4, 3)], id="thirds"
        ),
        pytest.param((1, 1, 1, 1), [Fraction(9, 4)] * 4, id="all share"),
    ],
)
def test_those_who_share_a_place_share_its_points(places, points):
    assert shared_points(places, (5, 3, 1, 0)) == points


def test_more_points_stand_higher():
    rows = standings(DUEL, field(2), [duels((1, 2, 0, 5))])
    assert lines(rows) == [(1, 2, "points"), (2, 1, "points")]
    assert [row.points for row in rows] == [1, 0]
    assert [row.head_to_head for row in rows] == [None, None]


def test_equal_points_are_decided_head_to_head():
    rounds = [duels((1, 2, 3, 4), (3, 4, 0, 1)), duels((1, 3, 9, 0), (2, 4, 0, 1))]
    rows = standings(DUEL, field(4), rounds)
    assert lines(rows) == [
        (1, 4, "points"),
        (2, 2, "points"),
        (3, 1, "head-to-head"),
        (4, 3, "points"),
    ]
    assert [row.head_to_head for row in rows] == [None, 1, -1, None]
    assert rows[1].score < rows[2].score, "a better score comes later in the chain"


def test_then_by_score_per_match():
    rows = standings(DUEL, field(4), [duels((1, 3, 10, 0), (2, 4, 12, 11))])
    assert lines(rows) == [
        (1, 2, "points"),
        (2, 1, "score"),
        (3, 4, "points"),
        (4, 3, "score"),
    ]


def test_then_by_the_cautious_rating_frozen_at_lock():
    entries = [Entry(1, 1, rating=None), Entry(2, 2, rating=7.5), Entry(3, 3, 9.0), Entry(4, 4)]
    rows = standings(DUEL, entries, [duels((1, 2, 5, 5), (3, 4, 5, 5))])
    assert lines(rows) == [
        (1, 3, "points"),
        (2, 2, "rating"),
        (3, 1, "rating"),
        (3, 4, "shared"),
    ]


def test_a_shared_place_skips_the_next_one():
    entries = [Entry(number, number) for number in (1, 2, 3, 4)]
    rows = standings(DUEL, entries, [duels((1, 2, 5, 5), (3, 4, 9, 1))])
    assert [row.place for row in rows] == [1, 2, 2, 4]


def test_the_disqualified_stand_at_the_end_without_a_place():
    entries = field(3)
    entries[0] = replace(entries[0], status="disqualified")
    entries[1] = replace(entries[1], status="withdrawn")
    rounds = [duels((1, 2, 9, 0)), duels((1, 3, 0, 9)), duels((2, 3, 0, 9))]
    rows = standings(DUEL, entries, rounds)
    assert [(row.place, row.entry, row.status) for row in rows] == [
        (1, 3, "playing"),
        (2, 2, "withdrawn"),
        (None, 1, "disqualified"),
    ]
    assert rows[0].points == 2, "what was won against them stays won"


def test_a_bye_and_a_void_match_count_as_an_average_one():
    config = ROUND_ROBIN.config(seats=3, deals=2, points=(5, 2, 0))
    done = Result((1, 2, 3), (9, 5, 1), forfeits=(2,))
    one = Round(1, (Table(1, (1, 2, 3), deals=2, results=(done, VOID)),), byes=(4,))
    rows = {row.entry: row for row in standings(config, field(5), [one])}
    average = Fraction(7, 3)
    assert rows[4].points == 2 * average
    assert [rows[entry].points for entry in (1, 2, 3)] == [5 + average, 2 + average, average]
    assert (rows[4].games, rows[4].byes, rows[3].games, rows[3].forfeits) == (0, 1, 1, 1)
    assert rows[5].by_round == (None,), "who had no part in a round gets nothing for it"
    assert rows[5].points == 0


def test_unfinished_matches_do_not_count_yet():
    config = ROUND_ROBIN.config(seats=2, deals=3)
    done = Result((1, 2), (9, 5))
    one = Round(1, (Table(1, (1, 2), deals=3, results=(None, done)),))
    assert not one.complete
    rows = standings(config, field(2), [one])
    # The seats have moved on by one with the second deal.
    assert [(row.entry, row.points, row.games) for row in rows] == [(2, 1, 1), (1, 0, 1)]


def test_in_a_series_the_fewest_penalty_points_win_and_ties_share():
    config = SERIES.config(seats=3, deals=3)
    # The seats move on by one with each deal: 1 2 3, then 3 1 2, then 2 3 1.
    results = (
        Result((2, 1, 3), (-2, 0, -3)),
        Result((1, 2, 2), (0, -2, -2)),
        Result((1, 3, 2), (0, -3, -2)),
    )
    table = Table(1, (1, 2, 3), deals=3, results=results)
    rows = SERIES.standings(config, field(3), [Round(1, (table,))])
    assert [(row.place, row.entry, row.points) for row in rows] == [(1, 2, 2), (2, 1, 6), (2, 3, 6)]
    assert rows[2].decided_by == "shared"


@pytest.mark.parametrize(
    ("scores", "forfeits", "noted"),
    [
        pytest.param((0, -2, -4), (), [0, 2, 4], id="somebody won"),
        pytest.param((-2, -3, -3), (), [2, 3, 3], id="the turn limit"),
        pytest.param((-5, -5, -5), (), [5, 5, 5], id="nobody has shown a card"),
        pytest.param((0, -2, -4), (0,), [5, 2, 4], id="who forfeited notes all five"),
        pytest.param((0, -1, -1), (0, 1, 2), [5, 5, 5], id="all forfeited"),
    ],
)
def test_in_a_series_of_edelsteinsuche_every_missing_card_is_a_penalty_point(
    scores, forfeits, noted
):
    config = SERIES.config(seats=3, game="edelsteinsuche")
    assert config.award(Result(tuple(placements(scores)), scores, forfeits)) == noted


@pytest.mark.parametrize("game", GAMES)
def test_a_forfeited_seat_of_a_series_never_notes_less_than_an_honest_one(game):
    config = SERIES.config(seats=3, game=game)
    for scores in product(range(-5, 1), repeat=3):
        places = tuple(placements(scores))
        honest = config.award(Result(places, scores))
        given_up = config.award(Result(places, scores, forfeits=(0,)))
        assert given_up[0] >= max(honest), scores


def test_in_other_games_a_series_notes_what_a_seat_is_behind_the_best_honest_one():
    config = SERIES.config(seats=3, game="basari")
    assert config.award(Result((3, 1, 2), (20, 12, 5), forfeits=(0,))) == [200, 0, 7]
    assert config.award(Result((1, 3, 2), (250, 0, 5))) == [0, 200, 200]
    assert "behind the best score" in SERIES.describe(config)


def test_who_sits_out_next_to_somebody_who_forfeits_is_not_charged_for_that():
    config = SERIES.config(seats=2, deals=1, game="edelsteinsuche")
    given_up = Result((1, 2), (0, -3), forfeits=(1,))
    one = Round(1, (Table(1, (1, 2), results=(given_up,)),), byes=(3,))
    assert config.idle(one) == 0


def test_who_sits_out_a_series_round_gets_its_average_penalty():
    config = SERIES.config(seats=2, deals=2)
    lost = Result((1, 2), (0, -3))
    one = Round(1, (Table(1, (1, 2), deals=2, results=(lost, lost)),), byes=(3,))
    rows = SERIES.standings(config, field(3), [one])
    assert {row.points for row in rows} == {3}

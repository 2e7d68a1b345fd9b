"""The chances in a match are the same everywhere, add up, end as the match did, and are bounded."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from statistics import mean

import pytest

from bots_sdk.chances import estimate as module
from bots_sdk.chances.discovery import find_policy
from bots_sdk.chances.estimate import (
    MAX_COST,
    MAX_PLAYOUTS,
    MIN_PLAYOUTS,
    MIN_POSITIONS,
    PLAYOUT_COST,
    PLAYS_BETWEEN,
    EndlessGame,
    estimate,
)
from bots_sdk.chances.points import MAX_POINTS, points, thin
from bots_sdk.chances.policy import Policy
from bots_sdk.chances.turning import BEYOND_ERROR, MAX_TURNING_POINTS
from bots_sdk.chances.values import (
    CHANCES_VERSION,
    NO_CHANCES,
    PER_MILLE,
    Chances,
    in_per_mille,
    standard_error,
)
from engine.facets.presentation import Presentation
from engine.game import Outcome
from engine.record.ending import final
from engine.record.reading import RecordError
from engine.record.rerun import rerun
from engine.registry import GAMES
from engine.rng import Rng
from tests.bench.chances import BOTS, measure
from tests.engine.tables import every_table, positions, recorded

QUICK = 3
"""So many playouts of each position are enough for most of what is tested here."""


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "MAX_PLAYOUTS", QUICK)


def forfeited(record, seat, step):
    """The record of a match in which a seat forfeited at a step."""
    return all_forfeited(record, {seat: step})


def all_forfeited(record, steps):
    """The record of a match in which seats forfeited at these steps."""
    ended = {name: record["outcome"][name] for name in ("placements", "scores", "reason")}
    told = {"code": "E302", "detail": "It thought for too long."}
    faults = [{"step": step, "seat": seat, **told} for seat, step in steps.items()]
    return {**record, "outcome": final(Outcome(**ended), sorted(steps)), "faults": faults}


@every_table
def test_rows_add_up_begin_with_the_first_choice_and_end_with_the_outcome(game, seats, quick):
    record = recorded(game, seats, "chances")
    chances = estimate(record)
    decisions = []
    rerun(record, pause=lambda step, _: decisions.append(step["i"]))
    steps = [row.step for row in chances.rows]
    assert steps[0] == decisions[0]
    assert steps[-1] == len(record["steps"]) - 1
    assert steps == sorted(set(steps))
    assert set(steps[:-1]) <= set(decisions)
    for row in chances.rows:
        assert len(row.chances) == seats
        assert sum(row.chances) == PER_MILLE
        assert min(row.chances) >= 0
    places = record["outcome"]["placements"]
    assert [chance > 0 for chance in chances.rows[-1].chances] == [place == 1 for place in places]


@every_table
def test_the_work_is_bounded_by_counts(game, seats):
    record = recorded(game, seats, "bounds")
    plays = 0

    def count(*told):
        nonlocal plays
        plays += 1
        game.play(*told)

    counted = replace(game, play=count)
    decisions = []
    rerun(record, pause=lambda step, _: decisions.append(step["i"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "game_of", lambda _: counted)
        chances = estimate(record)
    assert len(chances.rows) <= MAX_POINTS
    assert 1 <= chances.playouts <= MAX_PLAYOUTS
    per_round = plays / chances.playouts + PLAYOUT_COST * (len(chances.rows) - 1)
    # The last round was begun before the bound was reached.
    assert per_round * (chances.playouts - 1) <= MAX_COST
    assert len(chances.turning_points) <= MAX_TURNING_POINTS


@every_table
def test_whoever_forfeited_has_no_chance_from_then_on_and_one_before(game, seats, quick):
    record = recorded(game, seats, "forfeits")
    step = len(record["steps"]) // 2
    chances = estimate(forfeited(record, 0, step))
    for row in chances.rows:
        if row.step >= step:
            assert row.chances[0] == 0
            assert sum(row.chances[1:]) == PER_MILLE
    assert any(row.chances[0] for row in chances.rows if row.step < step)
    at_once = estimate(forfeited(record, 0, None))
    assert {row.chances[0] for row in at_once.rows} == {0}


def test_when_everybody_has_forfeited_the_rows_end_and_nobody_has_won(quick):
    record = recorded(GAMES["basari"], 3, "nobody")
    step = len(record["steps"]) // 2
    chances = estimate(all_forfeited(record, {0: 3, 1: step, 2: step + 1}))
    assert not chances.decided
    assert chances.estimates == chances.rows
    assert 3 < max(row.step for row in chances.rows) <= step
    assert Chances.from_data(json.loads(json.dumps(chances.as_data()))) == chances
    assert estimate(all_forfeited(record, dict.fromkeys(range(3)))) == NO_CHANCES


def test_a_costly_game_has_fewer_positions_but_never_too_few_playouts(monkeypatch):
    record = recorded(GAMES["edelsteinsuche"], 4, "costly")
    every = estimate(record)
    monkeypatch.setattr(module, "MAX_COST", 10_000)
    some = estimate(record)
    assert MIN_POSITIONS < len(some.rows) < len(every.rows) - 5
    assert some.playouts >= MIN_PLAYOUTS
    for chances in (every, some):
        steps = [row.step for row in chances.rows]
        assert (steps[0], steps[-2]) == (every.rows[0].step, every.rows[-2].step)


@pytest.mark.parametrize("most", [100, 3000])
def test_a_game_for_which_there_is_no_room_has_no_chances(monkeypatch, most):
    monkeypatch.setattr(module, "MAX_COST", most)
    assert estimate(recorded(GAMES["edelsteinsuche"], 4, "costly")) == NO_CHANCES


def test_playouts_play_the_fallback_for_a_seat_that_forfeited(monkeypatch):
    game = GAMES["basari"]
    record = forfeited(recorded(game, 3, "fallback"), 1, 0)
    chosen = set()

    def look(state, moves, *told):
        if len(moves) == 3:
            chosen.add((moves[1], game.fallback(state, 1)))
        game.play(state, moves, *told)

    monkeypatch.setattr(module, "MAX_PLAYOUTS", 1)
    monkeypatch.setattr(module, "game_of", lambda _: replace(game, play=look))
    estimate(record)
    assert chosen
    assert all(move == fallback for move, fallback in chosen)


SAME = """
import json
from bots_sdk.chances import estimate
from engine.registry import GAMES
from tests.engine.tables import recorded
estimate.MAX_PLAYOUTS = 3
for game in GAMES.values():
    record = recorded(game, game.seats[0], "same")
    print(json.dumps(estimate.estimate(record).as_data()))
"""


def test_another_process_gets_the_same_chances_to_the_byte(quick):
    told = [
        subprocess.run(
            [sys.executable, "-c", SAME],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    here = [
        json.dumps(estimate(recorded(game, game.seats[0], "same")).as_data())
        for game in GAMES.values()
    ]
    assert told[0] == told[1] == "\n".join(here) + "\n"


PINNED = {
    "edel-stein-reich": "f0faa417fbba3f76",
    "basari": "b599f6c762f990e6",
    "edelsteinsuche": "afc9ac0f8a3ff0bb",
}
"""Of what version 2 says of a match at random. Whoever changes it raises `CHANCES_VERSION`."""


@pytest.mark.parametrize("slug", PINNED)
def test_the_numbers_of_a_version_never_change(slug, quick):
    game = GAMES[slug]
    chances = estimate(recorded(game, game.seats[0], "pinned"))
    assert chances.version == CHANCES_VERSION == 2
    assert sha256(json.dumps(chances.as_data()).encode()).hexdigest()[:16] == PINNED[slug]


def test_an_estimate_survives_being_stored(quick):
    chances = estimate(recorded(GAMES["basari"], 4, "stored"))
    assert Chances.from_data(json.loads(json.dumps(chances.as_data()))) == chances
    assert Chances.from_data(json.loads(json.dumps(NO_CHANCES.as_data()))) == NO_CHANCES


def test_turning_points_are_larger_than_the_error_and_told_by_a_step_in_between():
    record = recorded(GAMES["basari"], 3, "turning")
    chances = estimate(record)
    rows = {row.step: row.chances for row in chances.rows}
    assert chances.turning_points
    for point in chances.turning_points:
        assert point.first < point.step <= point.last
        then, now = rows[point.first], rows[point.last]
        changes = [b - a for a, b in zip(then, now, strict=True)]
        assert point.winner == changes.index(max(changes))
        assert point.loser == changes.index(min(changes))
        assert point.size == sum(map(abs, changes)) // 2
        surest = min(standard_error(one, chances.playouts) for one in (*then, *now))
        assert max(map(abs, changes)) > BEYOND_ERROR * PER_MILLE * surest
        assert record["steps"][point.step]["t"] != "end"
    told = sum(point.size for point in chances.turning_points) / PER_MILLE
    assert chances.swing >= told > 0


def test_a_record_that_cannot_be_played_again_is_refused():
    record = recorded(GAMES["basari"], 3, "strange")
    with pytest.raises(RecordError, match="version 0"):
        estimate({**record, "rules": "0"})
    with pytest.raises(RecordError):
        estimate({**record, "seed": "another"})


def test_a_game_that_never_ends_is_given_up(monkeypatch):
    endless = replace(GAMES["basari"], max_decisions=lambda *_: 5)
    monkeypatch.setattr(module, "game_of", lambda _: endless)
    with pytest.raises(EndlessGame, match="6 moves"):
        estimate(recorded(GAMES["basari"], 3, "endless"))


@pytest.mark.parametrize("late", [1, 20, 300])
def test_whoever_watches_the_time_can_end_it_at_any_moment(monkeypatch, late):
    game, moves, between = GAMES["basari"], [], []

    def play(*told):
        moves.append(1)
        game.play(*told)

    def watch():
        between.append(len(moves))
        moves.clear()
        if len(between) == late:
            raise TimeoutError

    monkeypatch.setattr(module, "game_of", lambda _: replace(game, play=play))
    with pytest.raises(TimeoutError):
        estimate(recorded(game, 3, "late"), watch)
    assert len(between) == late
    assert max(between) <= PLAYS_BETWEEN


@every_table
def test_the_policy_of_a_game_makes_legal_moves_wherever_it_is_asked(game, seats):
    policy, rng = find_policy(game.slug), Rng("legal")
    assert type(policy) is not Policy
    for state in positions(game, seats, "legal"):
        for _ in range(3):
            moves = policy.moves(game, state, rng)
            for seat, move in zip(game.to_move(state), moves, strict=True):
                assert game.illegal_reason(state, seat, move) is None, move


@every_table
def test_what_nobody_has_seen_is_shuffled_and_nothing_else_changes(game, seats):
    policy = find_policy(game.slug)
    for state in positions(game, seats, "hidden")[::9]:
        before = game.view(state)
        policy.shuffle(state, Rng("hidden"))
        assert game.view(state) == before


@every_table
def test_the_policy_of_a_game_is_far_better_than_chance(game, seats):
    policy, blind, won = find_policy(game.slug), Policy(), 0.0
    for number in range(24):
        rng = Rng(f"better {number}")
        state = game.start(seats, game.resolve_options(seats), rng)
        own = number % seats
        while asked := game.to_move(state):
            moves = blind.moves(game, state, rng)
            if own in asked:
                moves[asked.index(own)] = policy.moves(game, state, rng)[asked.index(own)]
            game.play(state, moves, rng)
        places = game.outcome(state).placements
        won += (places[own] == 1) / places.count(1)
    assert won / 24 > 0.7


@pytest.mark.parametrize("game", BOTS)
def test_the_favourite_in_the_middle_wins_more_often_than_chance_has_it(game, monkeypatch):
    monkeypatch.setattr(module, "MAX_COST", MAX_COST // 4)
    seats = 3
    quality = measure(game, seats, 40)
    assert mean(quality.favourites[0.75]) > 1.3 / seats
    assert mean(quality.errors[0.75]) < mean(quality.blind)


@pytest.mark.parametrize(
    ("shares", "per_mille"),
    [
        pytest.param([1, 1, 1], [334, 333, 333], id="a third each"),
        pytest.param([0, 5], [0, 1000], id="all of it"),
        pytest.param([2, 1, 4], [286, 143, 571], id="the largest rests are rounded up"),
        pytest.param([1] * 7, [143, 143, 143, 143, 143, 143, 142], id="seven seats"),
    ],
)
def test_shares_are_rounded_so_that_they_add_up(shares, per_mille):
    assert in_per_mille(shares) == per_mille


@pytest.mark.parametrize(
    ("items", "most", "left"),
    [
        pytest.param([1, 2, 3], 5, [1, 2, 3], id="few"),
        pytest.param(list(range(10)), 4, [0, 3, 6, 9], id="the first and the last stay"),
        pytest.param(list(range(10)), 2, [0, 9], id="two"),
    ],
)
def test_points_are_thinned_evenly(items, most, left):
    assert thin(items, most) == left


def test_a_game_without_landmarks_is_looked_at_in_even_distances():
    steps = [{"i": i, "t": "move"} for i in range(200)]
    chosen = points(range(0, 200, 2), steps, Presentation())
    assert chosen[0] == 0
    assert chosen[-1] == 198
    gaps = {b - a for a, b in pairwise(chosen)}
    assert max(gaps) - min(gaps) <= 2


def test_no_win_in_all_playouts_is_not_called_impossible():
    chances = Chances(playouts=40, rows=[(3, [0, 1000]), (9, [0, 1000])])
    chances = Chances.from_data(json.loads(json.dumps(chances.as_data())))
    assert [chances.in_words(3, seat) for seat in (0, 1)] == ["under 3 %", "over 97 %"]
    assert [chances.in_words(9, seat) for seat in (0, 1)] == ["0 %", "100 %"]
    assert chances.error == 79

"""Groups and knock-out: the best of every table advance, and the bracket can be read."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from league.tournaments.planning.bracket import bracket
from league.tournaments.planning.formats import KNOCKOUT
from league.tournaments.planning.knockout import stages, table_order
from tests.league.tournaments.pretend import field, play_all, played, sits

POD_NAMES = ["Pod A", "Pod B", "Pod C", "Pod D"]


@st.composite
def shapes(draw, most=200):
    seats = draw(st.integers(2, 5))
    return draw(st.integers(seats, most)), seats, draw(st.integers(1, seats - 1))


@settings(max_examples=40)
@given(shape=shapes())
def test_stages_lead_from_any_field_to_one_full_table(shape):
    count, seats, advance = shape
    left = count
    for number, stage in enumerate(stages(count, seats, advance)):
        assert left == len(stage.advance) * seats + stage.byes
        assert number == 0 or stage.byes == 0, "only the first round has byes"
        left = sum(stage.advance) + stage.byes
        assert all(0 <= going < seats for going in stage.advance)
    assert (left, stage.advance) == (0, (0,))


@pytest.mark.parametrize(("count", "seats", "advance"), [(64, 4, 2), (32, 2, 1), (27, 3, 1)])
def test_numbers_that_fit_need_no_byes_and_no_exceptions(count, seats, advance):
    planned = stages(count, seats, advance)
    assert {stage.byes for stage in planned} == {0}
    assert {going for stage in planned[:-1] for going in stage.advance} == {advance}


@settings(max_examples=15)
@given(shape=shapes(most=60))
def test_exactly_the_best_of_each_table_and_the_byes_go_on(shape):
    count, seats, advance = shape
    config, entries = KNOCKOUT.config(seats=seats, advance=advance), field(count)
    rounds = play_all(KNOCKOUT, config, entries)
    for before, after in pairwise(rounds):
        best = [
            entry
            for table in before.tables
            for entry in table_order(config, entries, table)[: table.advance]
        ]
        assert sorted(sits(after)) == sorted([*before.byes, *best])
    rows = KNOCKOUT.standings(config, entries, rounds)
    assert rows[0].entry == table_order(config, entries, rounds[-1].tables[0])[0]
    assert {row.entry for row in rows[:seats]} == set(rounds[-1].tables[0].entries)
    assert [row.stage for row in rows] == sorted((row.stage for row in rows), reverse=True)


def test_the_strongest_sit_out_the_first_round():
    upcoming = KNOCKOUT.next_round(KNOCKOUT.config(), field(18), [])
    assert upcoming.byes == tuple(range(1, 15))
    assert [set(table.entries) for table in upcoming.tables] == [{15, 16, 17, 18}]


def test_those_who_come_from_one_table_are_parted():
    config, entries = KNOCKOUT.config(), field(16)
    rounds = play_all(KNOCKOUT, config, entries)
    for table in rounds[1].tables:
        origins = [
            before.number
            for entry in table.entries
            for before in rounds[0].tables
            if entry in before.entries
        ]
        assert len(set(origins)) == len(origins)


def test_the_next_best_moves_up_for_somebody_who_left():
    config, entries = KNOCKOUT.config(), field(8)
    first = played(KNOCKOUT.next_round(config, entries, []))
    order = table_order(config, entries, first.tables[0])
    entries[order[0] - 1] = replace(entries[order[0] - 1], status="disqualified")
    final = KNOCKOUT.next_round(config, entries, [first])
    assert set(order[1:3]) <= set(sits(final))
    assert order[0] not in sits(final)
    rows = KNOCKOUT.standings(config, entries, [first, played(final)])
    assert (rows[-1].entry, rows[-1].place) == (order[0], None)


def test_when_a_whole_table_leaves_the_rest_plays_on_to_a_final():
    config, entries = KNOCKOUT.config(seats=3, advance=1), field(27)
    rounds = [played(KNOCKOUT.next_round(config, entries, []))]
    entries = [replace(e, status="withdrawn") if e.id > 8 else e for e in entries]
    while upcoming := KNOCKOUT.next_round(config, entries, rounds):
        assert len(sits(upcoming)) >= 3
        rounds.append(played(upcoming))
    assert len(rounds[-1].tables) == 1


def lines(config, entries, rounds):
    """The bracket as it is read aloud."""
    return [
        f"{one.name}, {pod.name}: "
        + ", ".join(place.text or f"bot {place.entry}" for place in pod.places)
        for one in bracket(config, entries, rounds)
        for pod in one.pods
    ]


def test_places_that_are_not_decided_are_named():
    config, entries = KNOCKOUT.config(), field(8)
    first = KNOCKOUT.next_round(config, entries, [])
    assert lines(config, entries, [first])[-1] == (
        "Final, Final table: "
        "Winner 1 of pod A, Winner 1 of pod B, Winner 2 of pod A, Winner 2 of pod B"
    )


def test_a_place_is_known_as_soon_as_its_table_is_finished():
    config, entries = KNOCKOUT.config(), field(8)
    first = played(KNOCKOUT.next_round(config, entries, []))
    halfway = replace(first, tables=(first.tables[0], replace(first.tables[1], results=())))
    one, two = table_order(config, entries, first.tables[0])[:2]
    assert lines(config, entries, [halfway])[-1] == (
        f"Final, Final table: bot {one}, Winner 1 of pod B, bot {two}, Winner 2 of pod B"
    )
    semi = bracket(config, entries, [halfway])[0]
    assert [place.advances for place in semi.pods[0].places] == [True, True, False, False]
    assert [place.advances for place in semi.pods[1].places] == [None] * 4
    assert semi.pods[0].places[0].points == 3
    assert semi.pods[1].places[0].points is None


def test_only_one_winner_has_no_number():
    config, entries = KNOCKOUT.config(seats=2, advance=1), field(5)
    assert "Winner of pod A" in "\n".join(lines(config, entries, []))


def test_rounds_are_named_from_the_final_backwards():
    shown = bracket(KNOCKOUT.config(), field(18), [])
    assert [one.name for one in shown] == ["Round 1", "Quarter-finals", "Semi-finals", "Final"]
    assert [pod.name for pod in shown[1].pods] == POD_NAMES
    assert len(shown[0].byes) == 14
    assert bracket(KNOCKOUT.config(), field(3), []) == []


@settings(max_examples=15)
@given(shape=shapes(most=40), upto=st.integers(0, 6))
def test_what_the_bracket_expects_is_what_is_planned(shape, upto):
    count, seats, advance = shape
    config, entries = KNOCKOUT.config(seats=seats, advance=advance), field(count)
    rounds = play_all(KNOCKOUT, config, entries)
    shown = bracket(config, entries, rounds[: upto + 1])
    assert len(shown) == len(rounds)
    for one, actual in zip(shown, rounds, strict=True):
        assert [len(pod.places) for pod in one.pods] == [seats] * len(actual.tables)
    for one, actual in zip(shown[: upto + 2], rounds, strict=False):
        expected = [{place.entry for place in pod.places} for pod in one.pods]
        assert expected == [set(table.entries) for table in actual.tables]

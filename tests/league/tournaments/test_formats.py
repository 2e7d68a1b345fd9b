"""What holds for every format, over the registry and any number of entries."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from engine.registry import GAMES
from engine.rng import Rng
from league.tournaments.planning.config import BadConfig
from league.tournaments.planning.cyclic import turn
from league.tournaments.planning.formats import (
    FORMATS,
    KNOCKOUT,
    ROUND_ROBIN,
    SERIES,
    SWISS,
    dump,
    load,
)
from league.tournaments.planning.plan import VOID, Round, byes
from tests.league.tournaments.pretend import field, play_all, played, sits

every_format = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
a_few = settings(max_examples=12)


@st.composite
def tournaments(draw, form, most=30):
    """A config of a format and a number of entries that can play it."""
    seats = draw(st.integers(2, 5))
    choices = {
        "seats": seats,
        "deals": draw(st.integers(1, 3)),
        "mirrored": draw(st.booleans()),
        "seed": draw(st.sampled_from(["", "cup-14"])),
    }
    if form is SERIES:
        choices["game"] = draw(st.sampled_from(["", *GAMES]))
    if form is KNOCKOUT:
        choices["advance"] = draw(st.integers(1, seats - 1))
    else:
        choices["rounds"] = draw(st.integers(0 if form is ROUND_ROBIN else 1, 7))
    return form.config(**choices), draw(st.integers(seats, most))


@every_format
@a_few
@given(data=st.data())
def test_everybody_still_in_plays_at_a_full_table_or_sits_out(form, data):
    config, count = data.draw(tournaments(form))
    rounds = play_all(form, config, field(count))
    still_in = range(1, count + 1)
    for one in rounds:
        assert len(set(sits(one))) == len(sits(one))
        assert {len(table.entries) for table in one.tables} == {config.seats}
        assert set(sits(one)) <= set(still_in)
        if form is not KNOCKOUT:
            assert len(sits(one)) == count
            assert len(one.byes) == count % config.seats
    assert set(sits(rounds[0])) == set(still_in)


@every_format
@a_few
@given(data=st.data())
def test_the_cost_is_the_number_of_games_planned(form, data):
    config, count = data.draw(tournaments(form))
    rounds = play_all(form, config, field(count))
    assert form.total_games(config, count) == sum(one.games for one in rounds)
    assert list(form.cost(config, count).tables) == [len(one.tables) for one in rounds]


@every_format
@a_few
@given(data=st.data())
def test_asking_again_after_a_crash_gives_the_same_round(form, data):
    config, count = data.draw(tournaments(form, most=20))
    entries = field(count)
    rounds = play_all(form, config, entries)
    _, stored_config = load(json.loads(json.dumps(dump(config))))
    stored = [Round.from_json(json.loads(json.dumps(one.to_json()))) for one in rounds]
    assert stored == rounds
    assert stored_config == config
    number = data.draw(st.integers(0, len(rounds) - 1))
    again = form.next_round(stored_config, entries[::-1], stored[:number])
    assert again == replace(rounds[number], tables=again.tables)
    assert played(again) == rounds[number]


@pytest.mark.parametrize("form", [ROUND_ROBIN, SWISS, SERIES], ids=lambda form: form.slug)
@a_few
@given(data=st.data())
def test_byes_never_differ_by_more_than_one(form, data):
    config, count = data.draw(tournaments(form))
    rounds = play_all(form, config, field(count))
    for upto in range(len(rounds) + 1):
        # A whole turn of the cycle is even at its end, wherever its byes stand before.
        whole_turn = form is not SWISS and len(rounds) % turn(count, config.seats) == 0
        if whole_turn and upto < len(rounds):
            continue
        sat_out = byes(rounds[:upto])
        counts = [sat_out[entry] for entry in range(1, count + 1)]
        assert max(counts) - min(counts) <= 1


@every_format
@a_few
@given(data=st.data())
def test_a_tournament_goes_on_without_those_who_leave(form, data):
    config, count = data.draw(tournaments(form, most=24))
    entries, rounds = field(count), []
    rng = Rng(data.draw(st.sampled_from("abcdef")))
    while upcoming := form.next_round(config, entries, rounds):
        left = {entry.id for entry in entries if entry.status == "playing"}
        assert set(sits(upcoming)) <= left
        assert {len(table.entries) for table in upcoming.tables} == {config.seats}
        if form is not KNOCKOUT:
            assert set(sits(upcoming)) == left
        rounds.append(played(upcoming))
        leaving = rng.below(count)
        entries[leaving] = replace(entries[leaving], status="withdrawn")
    rows = form.standings(config, entries, rounds)
    assert sorted(row.entry for row in rows) == list(range(1, count + 1))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@every_format
def test_two_hundred_entries_are_planned(form, seats):
    config = form.config(seats=seats, **({"advance": 1} if form is KNOCKOUT else {"rounds": 2}))
    rounds = play_all(form, config, field(200))
    assert len(rounds) == len(form.cost(config, 200).tables)
    assert len(set(sits(rounds[0]))) == 200
    assert len(form.standings(config, field(200), rounds)) == 200


@pytest.mark.parametrize("form", [ROUND_ROBIN, SERIES], ids=lambda form: form.slug)
def test_the_seed_decides_the_draw(form):
    one, other = (form.config(seed=seed, rounds=1) for seed in ("a", "b"))
    entries = field(12)
    assert form.next_round(one, entries, []) != form.next_round(other, entries, [])


@every_format
def test_nothing_follows_a_round_that_is_not_finished(form):
    config, entries = form.config(), field(9)
    upcoming = form.next_round(config, entries, [])
    with pytest.raises(ValueError, match="round 1 is not finished"):
        form.next_round(config, entries, [upcoming])


@every_format
def test_a_void_match_does_not_stop_a_tournament(form):
    config, entries = form.config(), field(9)
    first = form.next_round(config, entries, [])
    void = first.with_results([[VOID] * len(table.matches()) for table in first.tables])
    rows = form.standings(config, entries, [void])
    assert len({row.points for row in rows}) == 1
    assert {row.games for row in rows} == {0}
    form.next_round(config, entries, [void])


@pytest.mark.parametrize("mirrored", [False, True])
@every_format
def test_mirrored_deals_give_everybody_every_seat_of_every_deal(form, mirrored):
    config = form.config(seats=3, deals=2, mirrored=mirrored)
    table = form.next_round(config, field(7), []).tables[0]
    seen = Counter(
        (match.deal, seat, entry)
        for match in table.matches()
        for seat, entry in enumerate(match.seats)
    )
    assert len(table.matches()) == config.games_per_table == (6 if mirrored else 2)
    assert len(seen) == (18 if mirrored else 6)
    assert {match.rotation for match in table.matches()} == ({0, 1, 2} if mirrored else {0, 1})


@pytest.mark.parametrize(
    ("data", "field_name", "words"),
    [
        ({"format": "ladder"}, "format", "Choose one of round-robin, swiss, knockout, series."),
        ({"format": "swiss", "seats": 6}, "seats", "2 to 5 seats"),
        ({"format": "swiss", "seats": True}, "seats", "seats cannot be True"),
        ({"format": "swiss", "rounds": 0}, "rounds", "1 to 20 rounds"),
        ({"format": "swiss", "deals": 0}, "deals", "1 to 100 deals"),
        ({"format": "swiss", "colour": "red"}, "colour", "no choice called 'colour'"),
        ({"format": "swiss", "points": [1, 2, 3, 4]}, "points", "must not rise"),
        ({"format": "swiss", "points": [3, 1]}, "points", "Enter 4 numbers"),
        ({"format": "swiss", "points": [1, 1, 1, 1]}, "points", "worth more than the last"),
        ({"format": "swiss", "points": ["a"]}, "points", "points cannot be"),
        ({"format": "knockout", "advance": 4}, "advance", "and not all"),
        ({"format": "round-robin", "rounds": -1}, "rounds", "up to 400"),
        ({"format": "series", "points": [3, 2, 1, 0]}, "points", "penalty points"),
        ({"format": "series", "rounds": 0}, "rounds", "1 to 400"),
    ],
)
def test_what_cannot_be_played_is_said_at_its_field(data, field_name, words):
    with pytest.raises(BadConfig) as refused:
        load(data)
    assert [problem.field for problem in refused.value.problems] == [field_name]
    assert words in refused.value.problems[0].message


@every_format
def test_the_choices_are_described_in_a_sentence(form):
    text = form.describe(form.config(seats=3, deals=2, mirrored=True))
    assert text.startswith(form.name)
    assert "Pods of 3, 2 deals per pod and round, each once per seat" in text
    assert ("2, 1, 0 points by place." in text) is not form.config.fewest_wins

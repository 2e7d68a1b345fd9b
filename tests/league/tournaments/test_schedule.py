"""Recurring dates: cron lines in time zones, across changes of the clock and after downtime."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from league.tournaments.planning.schedule import LOOK_BACK, Due, Schedule, due

FRIDAYS = Schedule("30 18 * * FRI", "Europe/Berlin")


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_the_next_five_dates_keep_their_local_time_over_the_change_of_the_clock():
    dates = FRIDAYS.preview(utc("2026-10-10T00:00"))
    assert [date.strftime("%a %d.%m. %H:%M %Z") for date in dates] == [
        "Fri 16.10. 18:30 CEST",
        "Fri 23.10. 18:30 CEST",
        "Fri 30.10. 18:30 CET",
        "Fri 06.11. 18:30 CET",
        "Fri 13.11. 18:30 CET",
    ]
    assert dates[1].astimezone(UTC).hour == 16
    assert dates[2].astimezone(UTC).hour == 17


@pytest.mark.parametrize(
    ("cron", "zone", "start", "expected"),
    [
        pytest.param(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["2026-03-29T01:00", "2026-03-30T00:30"],
            id="spring: half past two is missing and becomes three",
        ),
        pytest.param(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00",
            ["2026-10-25T00:30", "2026-10-26T01:30"],
            id="autumn: half past two comes twice and counts once",
        ),
        pytest.param(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-25T01:10",
            ["2026-10-26T01:30", "2026-10-27T01:30"],
            id="autumn: asked in the second of the two hours",
        ),
        pytest.param(
            "0 * * * *",
            "Europe/Berlin",
            "2026-10-25T00:30",
            ["2026-10-25T01:00", "2026-10-25T02:00"],
            id="every hour is every hour",
        ),
        pytest.param(
            "15 2 * * *",
            "Australia/Lord_Howe",
            "2026-10-03T00:00",
            ["2026-10-03T15:30", "2026-10-04T15:15"],
            id="a zone that moves its clocks by half an hour, spring",
        ),
        pytest.param(
            "45 1 * * *",
            "Australia/Lord_Howe",
            "2026-04-04T00:00",
            ["2026-04-04T14:45", "2026-04-05T15:15"],
            id="a zone that moves its clocks by half an hour, autumn",
        ),
        pytest.param(
            "0 18 * * *",
            "Asia/Kolkata",
            "2026-01-01T00:00",
            ["2026-01-01T12:30", "2026-01-02T12:30"],
            id="a zone half an hour off",
        ),
    ],
)
def test_days_on_which_the_clock_changes_are_as_people_expect(cron, zone, start, expected):
    dates = Schedule(cron, zone).preview(utc(start), len(expected))
    assert [date.astimezone(UTC) for date in dates] == [utc(text) for text in expected]
    assert {date.tzinfo for date in dates} == {ZoneInfo(zone)}


@settings(max_examples=40)
@given(
    cron=st.sampled_from(["30 2 * * *", "0 */6 * * *", "*/20 * * * *", "0 3 * * SUN"]),
    zone=st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "UTC"]),
    start=st.sampled_from(["2026-03-28T00:00", "2026-10-24T00:00", "2026-04-04T00:00"]),
    cuts=st.lists(st.integers(0, 4 * 24 * 60), max_size=6),
)
def test_ticks_find_each_occurrence_exactly_once_wherever_they_fall(cron, zone, start, cuts):
    schedule = Schedule(cron, zone)
    first, last = utc(start), utc(start) + timedelta(days=4)
    whole = [found.at for found in due(schedule, first, last)]
    ticks = [first, *(first + timedelta(minutes=cut) for cut in sorted(cuts)), last]
    parts = [found.at for since, now in pairwise(ticks) for found in due(schedule, since, now)]
    assert parts == whole
    assert len(set(whole)) == len(whole)


def test_a_punctual_occurrence_takes_place_once():
    at = utc("2026-11-06T17:30")
    assert due(FRIDAYS, at - timedelta(minutes=1), at) == [Due(at, True)]
    assert due(FRIDAYS, at, at + timedelta(minutes=1)) == []
    assert due(FRIDAYS, at - timedelta(minutes=1), at + timedelta(minutes=5)) == [Due(at, True)]


@pytest.mark.parametrize(("missed", "runs"), [("skip", [False] * 3), ("run", [False, False, True])])
def test_after_downtime_only_the_latest_missed_date_is_made_up_for_if_asked(missed, runs):
    schedule = Schedule(FRIDAYS.cron, FRIDAYS.zone, missed)
    found = due(schedule, utc("2026-11-01T00:00"), utc("2026-11-21T12:00"))
    assert [one.at.day for one in found] == [6, 13, 20]
    assert [one.runs for one in found] == runs


def test_what_was_missed_is_not_made_up_for_beside_a_punctual_one():
    schedule = Schedule(FRIDAYS.cron, FRIDAYS.zone, "run")
    found = due(schedule, utc("2026-11-01T00:00"), utc("2026-11-20T17:31"))
    assert [one.runs for one in found] == [False, False, True]


def test_what_was_missed_long_ago_is_forgotten():
    now = utc("2026-11-16T00:00")
    found = due(Schedule("0 0 1 * *", "UTC"), utc("2020-01-01T00:00"), now)
    assert found[0].at > now - LOOK_BACK
    assert len(found) == 12


@pytest.mark.parametrize(
    ("schedule", "field", "words"),
    [
        (Schedule(""), "cron", "this one is empty"),
        (Schedule("0 18 * *"), "cron", "this one has 4"),
        (Schedule("0 0 18 * * FRI"), "cron", "this one has 6"),
        (Schedule("61 18 * * FRI"), "cron", "'61' is not a valid minute"),
        (Schedule("0 25 * * *"), "cron", "'25' is not a valid hour"),
        (Schedule("0 18 * * FRIDAY"), "cron", "'FRIDAY' is not a valid day of the week"),
        (Schedule("0 18 30 2 *"), "cron", "There is no such day"),
        (Schedule("* * * * *"), "cron", "at least five minutes"),
        (Schedule("*/7 * * * *"), "cron", "at least five minutes"),
        (Schedule("0 18 * * FRI", "Berlin"), "zone", "'Berlin' is not a time zone"),
        (Schedule("0 18 * * FRI", "../UTC"), "zone", "is not a time zone"),
        (Schedule("0 18 * * FRI", missed="later"), "missed", "run or skip"),  # type: ignore[arg-type]
    ],
)
def test_a_line_that_is_wrong_is_explained(schedule, field, words):
    problems = schedule.problems()
    assert [problem.field for problem in problems] == [field]
    assert words in problems[0].message


@pytest.mark.parametrize("cron", ["30 18 * * FRI", "*/5 * * * *", "0 0 29 2 *", "0 12 * * 5#1"])
def test_a_line_that_is_right_has_no_problems(cron):
    assert Schedule(cron, "Europe/Berlin").problems() == []

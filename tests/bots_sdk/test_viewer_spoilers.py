"""What a page that hides the result says openly of a replay, and what it keeps for later."""

import json
import re
from html import unescape

import pytest

from bots_sdk.chances.values import Chances, Row, TurningPoint
from bots_sdk.viewer.chances import chance_lines, turning_marks
from bots_sdk.viewer.moments import mark_kinds
from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import replay_of
from engine.registry import GAMES
from tests.engine.tables import every_table, recorded

PLAYOUTS = 40
LINE = re.compile(
    r'<li><a href="[^"]*" data-step="(?P<step>\d+)"(?: title="(?P<title>[^"]*)")?'
    r'(?: data-from="(?P<first>\d+)" data-told="(?P<told>[^"]*)")?>'
    r'<span class="kv-number">\d+</span> <span>(?P<words>[^<]*)</span></a></li>'
)
IN_TIME = r'(?: data-from="(\d+)" data-told="([^"]*)")?>([^<]*)<'
TRACK_CHAPTER = re.compile(r'<text x="2" y="11"' + IN_TIME)
LOG_CHAPTER = re.compile("<section><h3" + IN_TIME)


def chances_of(record):
    """Chances that turn in the middle and at the end, both told of by a step before."""
    last, rest = len(record["steps"]) - 1, [0] * (len(record["seats"]) - 2)
    middle = last // 2
    return Chances(
        policy="pretenders",
        playouts=PLAYOUTS,
        rows=[
            Row(1, [500, 500, *rest]),
            Row(middle, [0, 1000, *rest]),
            Row(last, [1000, 0, *rest]),
        ],
        turning_points=[
            TurningPoint(middle - 2, 1, middle, 1, 0, 500, 1),
            TurningPoint(last - 2, middle, last, 0, 1, 1000, 0),
        ],
    )


def pages_of(record):
    """The viewer on a page that tells the result, and on one that hides it."""
    chances = chances_of(record)
    return [
        replay_html(
            replay_of(record, record_url="/r", page_url="/m", chances=chances, spoiler=name)
        )
        for name in (None, "match-1")
    ]


def moments_of(html):
    lines = [match.groupdict() for match in LINE.finditer(html)]
    assert len(lines) == int(re.search(r"Key moments \((\d+)\)", html)[1])
    return lines


@every_table
def test_key_moments_name_only_their_kinds_while_the_result_is_hidden(game, seats):
    record = recorded(game, seats, "hidden")
    told, hidden = map(moments_of, pages_of(record))
    kinds = {kind.name.capitalize() for kind in mark_kinds(game.presentation).values()}
    chapters = game.presentation.chapters(record["steps"])
    neutral = kinds | {start.neutral or start.name for start in chapters}
    assert {line["words"] for line in hidden} <= neutral
    assert not any(line["title"] for line in hidden)
    # The viewer has what it needs to say it later, and others read it at once.
    assert [line["told"] for line in hidden] == [line["words"] for line in told]
    assert all(line["title"] for line in told)
    assert "rises from 50 % to over 97 %" in " ".join(line["words"] for line in told)


@every_table
def test_a_turning_point_waits_until_the_chances_after_it_are_no_secret(game, seats):
    record = recorded(game, seats, "hidden")
    hidden = moments_of(pages_of(record)[1])
    turns = [line for line in hidden if line["words"] == "Turning point"]
    points = chances_of(record).turning_points
    assert [int(line["step"]) for line in turns] == [point.step for point in points]
    assert [int(line["first"]) for line in turns] == [point.last for point in points]


@every_table
def test_chapters_of_track_and_log_do_not_tell_what_happens_in_them(game, seats):
    record = recorded(game, seats, "hidden")
    starts = game.presentation.chapters(record["steps"])
    for pattern in (TRACK_CHAPTER, LOG_CHAPTER):
        told, hidden = (
            [tuple(map(unescape, groups)) for groups in pattern.findall(html)]
            for html in pages_of(record)
        )
        assert {words for _, _, words in told} <= {start.name for start in starts}
        later = {(str(start.i), start.name, start.neutral) for start in starts if start.neutral}
        assert {groups for groups in hidden if groups[0]} <= later
        assert [words for _, _, words in told] == [name or words for _, name, words in hidden]
        assert {words for _, _, words in hidden} <= {one.neutral or one.name for one in starts}
    assert len(hidden) == len(starts), "the log has a heading for each of them"


@every_table
def test_a_chapter_that_names_a_seat_has_a_neutral_name_too(game, seats):
    steps = recorded(game, seats, "hidden")["steps"]
    chapters = game.presentation.chapters(steps)
    names = [start.neutral or start.name for start in chapters]
    assert not [name for name in names if re.search(r"\b[A-G]\b", name)]


def test_between_two_rows_the_line_stays_where_it_is():
    rows = [Row(1, [500, 500]), Row(5, [300, 700]), Row(10, [1000, 0])]
    svg = chance_lines(Chances(rows=rows), 10)
    assert re.findall(r' d="([^"]*)"', svg) == [
        "M100 500H500V700H1000V0",
        "M100 500H500V300H1000V1000",
    ]


def test_the_viewer_says_chances_in_the_words_of_the_estimate():
    record = recorded(GAMES["basari"], 3, "words")
    html = pages_of(record)[1]
    data = json.loads(re.search(r'data-slot="data">(.*?)</script>', html)[1])
    last = len(record["steps"]) - 1
    assert data["chances"]["rows"] == [
        [1, ["50 %", "50 %", "under 3 %"]],
        [last // 2, ["under 3 %", "over 97 %", "under 3 %"]],
        [last, ["100 %", "0 %", "0 %"]],
    ]


@pytest.mark.parametrize(
    ("before", "after", "seat", "forfeited", "words"),
    [
        pytest.param(
            [310, 345, 345], [620, 190, 190], 0, False, "A rises from 31 % to 62 %", id="a gain"
        ),
        pytest.param(
            [200, 600, 200], [400, 200, 400], 1, False, "B falls from 60 % to 20 %", id="a loss"
        ),
        pytest.param(
            [0, 1000], [500, 500], 0, False, "A rises from under 3 % to 50 %", id="nothing is sure"
        ),
        pytest.param(
            [400, 600], [0, 1000], 0, True, "A forfeits with a chance of 40 %", id="a forfeit"
        ),
    ],
)
def test_a_turning_point_tells_how_the_chance_of_its_seat_changed(
    before, after, seat, forfeited, words
):
    end = [1000] + [0] * (len(before) - 1)
    winner, loser = after.index(max(after)), after.index(min(after))
    chances = Chances(
        playouts=PLAYOUTS,
        rows=[Row(3, before), Row(9, after), Row(12, end)],
        turning_points=[TurningPoint(7, 3, 9, winner, loser, 300, seat, forfeited)],
    )
    assert [mark.text for mark in turning_marks(chances)] == [words]

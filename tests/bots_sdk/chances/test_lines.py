"""The viewer with the chances of a match: lines, marks, highlights, and nothing for other views."""

import json
import re

import pytest

from bots_sdk.chances import estimate as module
from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.values import Chances, Row
from bots_sdk.viewer.chances import chance_lines, error_points
from bots_sdk.viewer.moments import HIGHLIGHTS_MS
from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import replay_of
from tests.engine.tables import every_table, recorded


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "MAX_PLAYOUTS", 16)


def html_of(record, **more):
    return replay_html(replay_of(record, record_url="/r", page_url="/m", **more))


def data_of(html):
    text = re.search(r'<script type="application/json" data-slot="data">(.*?)</script>', html)[1]
    return json.loads(text)


@every_table
def test_turning_points_are_marked_listed_and_among_the_highlights(game, seats, quick):
    record = recorded(game, seats, "lines")
    chances = estimate(record)
    html = html_of(record, chances=chances)
    data = data_of(html)
    turns = [point.step for point in chances.turning_points]
    assert html.count('class="kv-line kv-s') >= seats
    assert [i for i, kind in data["marks"] if kind == "turn"] == turns
    assert len(re.findall(r"> <span>[A-G] (?:rises|falls) from ", html)) == len(turns)
    assert set(turns) <= set(data["highlights"])
    duration = sum(game.presentation.duration_ms(record["steps"][i]) for i in data["highlights"])
    assert duration <= HIGHLIGHTS_MS
    assert data["chances"]["rows"] == [
        [row.step, [chances.in_words(row.step, seat) for seat in range(seats)]]
        for row in chances.rows
    ]
    assert data["chances"]["error"] == error_points(chances) == 13


@every_table
def test_other_views_and_matches_without_chances_have_no_lines(game, seats, quick):
    record = recorded(game, seats, "lines")
    chances = estimate(record)
    for html in (html_of(record), html_of(record, chances=chances, view="A")):
        assert data_of(html)["chances"] is None
        for part in ("kv-chances", "kv-chance", "kv-mark kv-turn"):
            assert part not in html


@pytest.mark.parametrize(
    ("final", "labels"),
    [
        pytest.param([0, 1000, 0], [("B", 9), ("A C", 23)], id="one winner"),
        pytest.param([500, 0, 500], [("A C", 16), ("B", 23)], id="two share the win"),
        pytest.param([334, 333, 333], [("A B C", 18)], id="all share it"),
    ],
)
def test_letters_stand_at_the_ends_of_the_lines(final, labels):
    svg = chance_lines(Chances(rows=[Row(0, [400, 300, 300]), Row(9, final)]), 9)
    texts = re.findall(r'<text [^>]*y="(\d+)">(.*?)</text>', svg)
    assert [(re.sub("<[^>]+>", "", text), int(y)) for y, text in texts] == labels

"""The story of a match: three to five sentences that are true, whatever happened in it."""

import re

import pytest

from bots_sdk.chances import estimate as module
from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.story import story, story_html, story_text
from bots_sdk.chances.values import NO_CHANCES, Chances, Row, TurningPoint
from engine.facets.presentation import Presentation
from engine.registry import GAMES
from tests.engine.tables import every_table, recorded

LATE = {"step": 4, "seat": 2, "code": "E302", "detail": "It thought for too long."}
NEVER_LOADED = {"step": None, "seat": 1, "code": "E201", "detail": "It cannot be loaded."}
TURN = TurningPoint(5, 4, 6, 0, 1, 400, 0)
OTHER = TurningPoint(7, 6, 8, 1, 0, 300, 1)
BEFORE = TurningPoint(3, 2, 4, 1, 0, 300, 1)
SMALL = TurningPoint(7, 6, 8, 1, 0, 100, 1)
CALM = [[360, 340, 300]] * 5
LED = [[400, 300, 300], [450, 300, 250], [700, 200, 100], [800, 100, 100], [900, 50, 50]]
DOWN = [[400, 300, 300], [250, 450, 300], [100, 700, 200], [50, 800, 150], [500, 400, 100]]


def match(places=(1, 2, 3), scores=(30, 20, 10), faults=(), forfeits=(), digest="0" * 64):
    """A match of eleven steps of an unknown game."""
    return {
        "game": "chess",
        "digest": f"sha256:{digest}",
        "seats": [{"name": name} for name in ("Anna", "Bob <b>", "Cleo {0}")],
        "steps": [{"i": i, "t": "move", "seat": 0, "text": f"{{0}} plays {i}."} for i in range(11)],
        "faults": list(faults),
        "outcome": {
            "placements": list(places),
            "scores": list(scores),
            "reason": "completed",
            "forfeits": list(forfeits),
        },
    }


def chances(rows, *points, final=(1000, 0, 0), playouts=40):
    """Estimates at every second step."""
    known = [Row(2 * at, row) for at, row in enumerate(rows)]
    return Chances(1, "bots", playouts, [*known, Row(10, list(final))], list(points), 1.0)


def told(record, known):
    return " ".join(story_text(record, known, Presentation()))


@pytest.mark.parametrize(
    ("record", "known", "words"),
    [
        pytest.param(
            match(),
            chances(LED),
            [r"A Anna.*(chance of|with|:) (70|80) %", "(No single step|no turning point)"],
            id="a favourite from early on, and no turning point",
        ),
        pytest.param(
            match(), chances(CALM), ["(nobody was|anybody|still open)"], id="nobody was ahead"
        ),
        pytest.param(
            match(),
            chances(DOWN),
            [r"5 % at step 6", r"A Anna.*won.*30 points"],
            id="from behind",
        ),
        pytest.param(
            match(),
            chances(LED, TURN),
            [r"step 5: A Anna plays 5\.", "70 % .*80 %", "B Bob"],
            id="a turning point is quoted, with what it did",
        ),
        pytest.param(
            match(),
            chances(LED, TURN, OTHER),
            ["(once more at step 7|step 7 mattered most|[Ll]ater, at step 7)"],
            id="another one after it",
        ),
        pytest.param(
            match(),
            chances(LED, BEFORE, TURN),
            ["(step 3 had lifted|before, at step 3|Earlier, at step 3)"],
            id="another one before it",
        ),
        pytest.param(
            match(places=(1, 1, 3), scores=(30, 30, 10)),
            chances(CALM, final=(500, 500, 0)),
            [r"A Anna and B Bob &lt;b&gt; shared the win with 30 points each\."],
            id="a shared win",
        ),
        pytest.param(
            match(places=(1, 2, 2), scores=(30, 20, 20)),
            chances(LED),
            [r"B Bob &lt;b&gt; and C Cleo \{0\}.*with 20 points\."],
            id="two came second",
        ),
        pytest.param(
            match(faults=[LATE], forfeits=[2]),
            chances(LED, TURN, OTHER),
            [r"C Cleo \{0\} forfeited at step 4 \(E302\)\."],
            id="one forfeited",
        ),
        pytest.param(
            match(faults=[NEVER_LOADED, LATE], forfeits=[1, 2]),
            chances(LED),
            [r"B Bob &lt;b&gt; forfeited before the first step \(E201\) and C", r"30 points\.$"],
            id="only one was left",
        ),
        pytest.param(
            match(
                faults=[{**LATE, "seat": 0}, NEVER_LOADED, LATE],
                forfeits=[0, 1, 2],
            ),
            chances(LED),
            ["Everybody had forfeited, and A Anna came out first"],
            id="everybody forfeited",
        ),
    ],
)
def test_the_story_tells(record, known, words):
    for digest in ("0" * 64, "f" * 64, f"{12345678:064x}"):
        record["digest"] = f"sha256:{digest}"
        text = told(record, known)
        for one in words:
            assert re.search(one, text), text
        assert 3 <= len(story(record, known, Presentation())) <= 5


def test_a_second_turning_point_that_is_small_is_not_told():
    assert "step 7" not in told(match(), chances(LED, TURN, SMALL))


def test_what_brought_the_winner_there_is_told_first():
    text = told(match(), chances(LED, OTHER._replace(size=900), TURN))
    assert "step 5: A Anna plays 5." in text


def test_without_chances_there_is_no_story():
    assert story(match(), NO_CHANCES, Presentation()) == []


def test_names_are_text_in_html():
    html = " ".join(story_html(match(), chances(DOWN, OTHER), Presentation()))
    assert "Bob &lt;b&gt;" in html
    assert "Bob <b>" not in html


def test_the_same_match_always_has_the_same_story_and_others_read_differently():
    digests = [f"{number:064x}" for number in range(0, 40_000, 1000)]
    stories = {told(match(digest=one), chances(LED, TURN, OTHER)) for one in digests}
    assert told(match(digest="1" * 64), chances(LED)) == told(match(digest="1" * 64), chances(LED))
    assert len(stories) >= 20


@every_table
def test_every_game_has_a_story(game, seats, monkeypatch):
    monkeypatch.setattr(module, "MAX_PLAYOUTS", 8)
    record = recorded(game, seats, "story")
    known = estimate(record)
    sentences = story_text(record, known, GAMES[game.slug].presentation)
    assert 3 <= len(sentences) <= 5
    for sentence in sentences:
        assert sentence[0] == sentence[0].upper()
        assert sentence[-1] in ".!"
        assert not re.search(r"\{\w*\}", sentence)
    winner = record["outcome"]["placements"].index(1)
    assert record["seats"][winner]["name"] in sentences[-1]

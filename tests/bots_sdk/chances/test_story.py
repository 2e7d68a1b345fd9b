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
CALM = [[360, 340, 300]] * 5
LED = [[400, 300, 300], [450, 300, 250], [700, 200, 100], [800, 100, 100], [900, 50, 50]]
DOWN = [[400, 300, 300], [250, 450, 300], [100, 700, 200], [50, 800, 150], [500, 400, 100]]
TURNED = [[350, 350, 300], [300, 400, 300], [250, 450, 300], [700, 200, 100], [850, 100, 50]]
TURNED_EARLY = [[250, 450, 300], [700, 200, 100], *[[750, 150, 100]] * 3]
TO_AND_FRO = [[300, 400, 300], [300, 400, 300], [700, 200, 100], [300, 600, 100], [400, 500, 100]]
DIGESTS = [f"{number:064x}" for number in range(0, 40_000, 1000)]


def match(places=(1, 2, 3), scores=(30, 20, 10), faults=(), forfeits=(), digest="0" * 64):
    """A match of eleven steps of an unknown game."""
    names = ("Anna", "Bob <b>", "Cleo {0}", *"DEFG")
    return {
        "game": "chess",
        "digest": f"sha256:{digest}",
        "seats": [{"name": name} for name in names[: len(places)]],
        "steps": [{"i": i, "t": "move", "seat": 0, "text": f"{{0}} plays {i}."} for i in range(11)],
        "faults": list(faults),
        "outcome": {
            "placements": list(places),
            "scores": list(scores),
            "reason": "completed",
            "forfeits": list(forfeits),
        },
    }


def chances(rows, *spans, final=(1000, 0, 0), forfeited=False, decided=True):
    """Estimates at every second step, with turning points between some of those steps."""
    known = [Row(2 * at, row) for at, row in enumerate(rows)]
    if decided:
        known.append(Row(10, list(final)))
    points = [turn(known, *span, forfeited) for span in spans]
    return Chances(1, "bots", 40, known, decided, points, 1.0)


def turn(rows, first, last, forfeited):
    before, after = rows[first // 2].chances, rows[last // 2].chances
    changes = [now - then for then, now in zip(before, after, strict=True)]
    most, least = max(changes), min(changes)
    return TurningPoint(
        step=last - 1,
        first=first,
        last=last,
        winner=changes.index(most),
        loser=changes.index(least),
        size=sum(map(abs, changes)) // 2,
        seat=changes.index(most if most >= -least else least),
        forfeited=forfeited,
    )


def told(record, known):
    return " ".join(story_text(record, known, Presentation()))


def all_told(record, known):
    """What is told of a match, in all wordings."""
    return [told(record | {"digest": f"sha256:{digest}"}, known) for digest in DIGESTS]


@pytest.mark.parametrize(
    ("record", "known", "words"),
    [
        pytest.param(
            match(),
            chances(LED),
            [r"A Anna.*(chance of|with|:) 70 %", "(No single step|no turning point)"],
            id="a favourite from early on, and no turning point",
        ),
        pytest.param(
            match(), chances(CALM), ["(nobody was|anybody|still open)"], id="nobody was ahead"
        ),
        pytest.param(
            match(),
            chances([[400, 300, 300]] * 2 + [[450, 250, 300]] * 3),
            ["(nobody was|anybody|still open)"],
            id="nobody was clearly ahead",
        ),
        pytest.param(
            match(), chances(DOWN), [r"5 % at step 6", r"A Anna.*won.*30 points"], id="from behind"
        ),
        pytest.param(
            match(),
            chances(TURNED, (4, 6)),
            [r"step 5: A Anna plays 5\.", "25 % .*70 %", "B Bob"],
            id="a turning point is quoted, with what it did",
        ),
        pytest.param(
            match(),
            chances(TO_AND_FRO, (2, 4), (4, 6)),
            [r"(also swung|After that,|Later,) at step 5, .* from 20 % to 60 %\."],
            id="another one after it",
        ),
        pytest.param(
            match(places=(2, 1, 3)),
            chances(TO_AND_FRO, (2, 4), (4, 6)),
            [r"([Bb]efore|Earlier).* at step 3, .* from 30 % to 70 %\."],
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
            chances(TURNED, (4, 6), (0, 2)),
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
            match(faults=[{**LATE, "seat": 0, "step": 9}, NEVER_LOADED, LATE], forfeits=[0, 1, 2]),
            chances([[450, 0, 550], [450, 0, 550], *[[1000, 0, 0]] * 2], decided=False),
            [r"B Bob .*Everybody forfeited, so nobody won\.$"],
            id="everybody forfeited",
        ),
    ],
)
def test_the_story_tells(record, known, words):
    for text in all_told(record, known):
        for one in words:
            assert re.search(one, text), text
    assert 3 <= len(story(record, known, Presentation())) <= 5


@pytest.mark.parametrize(
    ("places", "rows", "span", "words", "never"),
    [
        pytest.param(
            (1, 2, 3), TURNED, (4, 6), "(turned|turning|came step)", "helped", id="it turned"
        ),
        pytest.param((1, 2, 3), TURNED_EARLY, (0, 2), "turn", "Then came", id="before half time"),
        pytest.param((1, 2, 3), LED, (2, 4), "helped A", "turn", id="the favourite rose"),
        pytest.param(
            (1, 2, 3),
            [*DOWN[:3], [300, 600, 100], [500, 400, 100]],
            (4, 6),
            "helped A",
            "turn",
            id="the winner rose but was not yet ahead",
        ),
        pytest.param(
            (2, 1, 3), TURNED, (4, 6), "(swung|Much changed)", "(turn|helped)", id="another rose"
        ),
    ],
)
def test_a_swing_is_called_what_it_was(places, rows, span, words, never):
    for text in all_told(match(places=places), chances(rows, span)):
        assert re.search(words, text), text
        assert not re.search(never, text), text


@pytest.mark.parametrize(
    ("rows", "span", "words", "never"),
    [
        pytest.param(
            [[300, 700], [300, 700], [700, 300], [700, 300]],
            (2, 4),
            "30 % .*70 %",
            "(expense|paid|nobody lost)",
            id="of two it is clear who paid",
        ),
        pytest.param(TURNED, (4, 6), "(expense of|and) B", "nobody lost", id="one paid for most"),
        pytest.param(
            [[200, 400, 400], [200, 400, 400], [600, 200, 200], [600, 200, 200]],
            (2, 4),
            "nobody lost more than B",
            "(expense|paid)",
            id="several paid alike",
        ),
        pytest.param(
            [[250, 150, 600], [250, 150, 600], [500, 400, 100], [600, 300, 100]],
            (2, 4),
            "C Cleo.* (60 % down to|from 60 % to|had 60 %.*only) 10 %.*; nobody gained more than A",
            "(took A|A Anna from|chance of A Anna rose)",
            id="one fell and several gained",
        ),
        pytest.param(
            [[300, 100, 600], [300, 100, 600], [650, 50, 300], [650, 50, 300]],
            (2, 4),
            "30 % .*65 %",
            "60 %",
            id="one rose by more than another fell",
        ),
        pytest.param(
            TURNED,
            (2, 6),
            "(Between steps 2 and 6|from 2 to 6,) A .* from 30 % to 70 %",
            "(step 5|That took)",
            id="a slow one has no step of its own",
        ),
    ],
)
def test_a_swing_is_told_of_the_seat_whose_chance_changed_most(rows, span, words, never):
    seats = len(rows[0])
    record = match(places=range(1, seats + 1), scores=[30] * seats)
    for text in all_told(record, chances(rows, span, final=[1000] + [0] * (seats - 1))):
        assert re.search(words, text), text
        assert not re.search(never, text), text


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        pytest.param(LED, "(favourite throughout|Nobody caught up)", id="far ahead"),
        pytest.param(
            [*LED[:4], [450, 350, 200]], "(In the end A|A Anna won|winner was A)", id="not always"
        ),
        pytest.param(
            [[150, *[142] * 5, 140]] * 3 + [[90, 310, *[120] * 5]] * 2,
            "(In the end A|A Anna won|winner was A)",
            id="of seven seats one in eleven is no long shot",
        ),
        pytest.param(
            [[150, *[142] * 5, 140]] * 3 + [[60, 340, *[120] * 5]] * 2,
            "6 % at step 6",
            id="of seven seats one in sixteen is",
        ),
    ],
)
def test_the_winner_was_ahead_or_came_from_behind(rows, words):
    seats = len(rows[0])
    record = match(places=range(1, seats + 1), scores=[30] * seats)
    for text in all_told(record, chances(rows, final=[1000] + [0] * (seats - 1))):
        assert re.search(words, text), text


def test_the_swing_of_a_forfeit_is_told_by_the_forfeit():
    record = match(faults=[LATE], forfeits=[2])
    for text in all_told(record, chances(TURNED, (2, 4), forfeited=True)):
        assert "forfeited at step 4" in text
        assert not re.search("(plays|turn|swung|No single)", text), text


def test_half_time_is_not_told_by_a_position_far_from_it():
    rows = [[400, 300, 300], [900, 50, 50]]
    for text in all_told(match(), chances(rows)):
        assert not re.search("([Hh]alf|middle)", text), text


def test_a_second_turning_point_that_is_small_is_not_told():
    rows = [*TURNED[:4], [600, 300, 100]]
    assert "step 7" not in told(match(), chances(rows, (4, 6), (6, 8)))


def test_what_brought_the_winner_there_is_told_first():
    rows = [*TURNED[:4], [100, 850, 50]]
    assert "step 5: A Anna plays 5." in told(match(), chances(rows, (4, 6), (6, 8)))


def test_without_chances_there_is_no_story():
    assert story(match(), NO_CHANCES, Presentation()) == []


def test_names_are_text_in_html():
    html = " ".join(story_html(match(), chances(TO_AND_FRO, (4, 6)), Presentation()))
    assert "Bob &lt;b&gt;" in html
    assert "Bob <b>" not in html


def test_the_same_match_always_has_the_same_story_and_others_read_differently():
    stories = set(all_told(match(), chances(TO_AND_FRO, (2, 4), (4, 6))))
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

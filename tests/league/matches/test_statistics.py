"""How bots play and whom they beat: counted while matches are stored, and proven by a rebuild."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.facets.statistics import TIMES_MS
from engine.registry import GAMES
from league.matches.models import Meeting, Seat, Style
from league.matches.statistics import counting, totals
from league.matches.statistics.rebuild import rebuild
from league.matches.statistics.style import styles
from league.matches.statistics.totals import Pair, Sat, Sums
from tests.league.factories import make_match, make_player, make_version

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


def rows():
    """Everything that is kept."""
    kept = [
        (row.version_id, row.game, row.matches, row.counts)
        for row in Style.objects.order_by("version_id", "game")
    ]
    met = Meeting.objects.order_by("one_id", "other_id", "game", "seat_count").values_list(
        "one", "other", "game", "seat_count", "met", "one_ahead", "other_ahead"
    )
    return kept, list(met)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_counted_of_a_seat_adds_up(path):
    record = json.loads(path.read_text())
    counted = styles(record)
    decisions = sum(
        sum(not forced for forced in step["forced"]) if "moves" in step else not step["forced"]
        for step in record["steps"]
        if "forced" in step
    )
    assert sum(n for seat in counted for name, n in seat.items() if name[:3] == "ms ") == decisions
    if record["game"] == "edelsteinsuche":
        turns = [step for step in record["steps"] if step["t"] == "turn"]
        assert sum(seat["turns"] for seat in counted) == len(turns)
        for seat in counted:
            assert 0 < seat["draws"] == seat.get("shown", 0) + seat.get("hidden", 0)
            assert seat.get("draws known", 0) <= seat["draws"]
        return
    rounds = sum(step["t"] == "choose" for step in record["steps"])
    for seat in counted:
        assert sum(n for name, n in seat.items() if name.startswith("chosen ")) == rounds
        assert sum(n for name, n in seat.items() if name.startswith("fate ")) == rounds
    assert sum(seat.get("paid", 0) for seat in counted) == sum(s.get("earned", 0) for s in counted)
    accepted = [sum(step["gems"]) for step in record["steps"] if step["t"] == "accept"]
    assert sum(seat.get("bought", 0) for seat in counted) == len(accepted)
    assert sum(seat.get("paid", 0) for seat in counted) == sum(accepted)


def test_a_thinking_time_is_counted_in_the_class_it_belongs_to():
    step = {"t": "offer", "seat": 1, "move": "x", "forced": False}
    record = {
        "game": "basari",
        "seats": [{}, {}],
        "steps": [step | {"ms": ms} for ms in (0.0, 0.1, 0.11, 2.0, 10**9)],
    }
    assert styles(record)[1] == {"ms 0": 2, "ms 1": 1, "ms 14": 1, f"ms {len(TIMES_MS) - 1}": 1}


def test_a_table_is_a_meeting_of_every_pair_but_of_no_bot_with_itself():
    sums = Sums()
    sums.add_meetings("basari", [Sat(9, 3), Sat(4, 1), Sat(7, 2), Sat(4, 3)])
    assert {pair: dict(met) for pair, met in sums.pairs.items()} == {
        Pair(4, 7, "basari", 4): {"met": 2, "one_ahead": 1, "other_ahead": 1},
        Pair(4, 9, "basari", 4): {"met": 2, "one_ahead": 1, "other_ahead": 0},
        Pair(7, 9, "basari", 4): {"met": 1, "one_ahead": 1, "other_ahead": 0},
    }


@pytest.mark.django_db
def test_sums_of_stored_matches_are_those_of_a_rebuild():
    players = [make_player() for _ in range(4)]
    make_match(players[:3])
    make_match([players[3], players[1], players[0]])
    make_match([players[0], players[0], players[2]])
    make_version(players[0])
    players[0].refresh_from_db()
    make_match(players[::-1], "edel-stein-reich")
    make_match(players[:2], "edelsteinsuche")
    kept = rows()
    assert len(kept[0]) == 4 + 4 + 2
    assert Style.objects.get(version=players[0].versions.last(), game="basari").matches == 4
    pair = Meeting.objects.get(one=players[0], other=players[1], game="basari")
    firsts = Seat.objects.filter(game="basari", match__seats__bot=players[1], bot=players[0])
    ahead = sum(
        seat.place < seat.match.seats.get(bot=players[1]).place for seat in firsts.distinct()
    )
    assert (pair.met, pair.one_ahead) == (2, ahead)
    found = rebuild(write=False)
    assert (found.matches, found.differences) == (5, 0), found.named
    Style.objects.all().delete()
    Meeting.objects.all().delete()
    rebuild(write=True)
    assert rows() == kept


@pytest.mark.django_db
def test_a_rebuild_names_and_repairs_what_is_wrong(capsys):
    players = [make_player() for _ in range(3)]
    make_match(players)
    kept = rows()
    Meeting.objects.filter(one=players[0], other=players[1]).update(met=7)
    Meeting.objects.filter(one=players[0], other=players[2]).delete()
    Style.objects.filter(version=players[0].active).update(counts={"paid": 1})
    Style.objects.create(version=players[0].active, game="edelsteinsuche", matches=3)
    with pytest.raises(SystemExit):
        call_command("rebuild_statistics", "--check")
    said = capsys.readouterr().out
    assert "1 matches, 4 differences" in said
    assert f"meeting {(players[0].pk, players[1].pk, 'basari', 3)} is counted wrongly" in said
    call_command("rebuild_statistics")
    assert rows() == kept
    call_command("rebuild_statistics", "--check")


@pytest.mark.django_db
def test_counting_a_match_takes_a_few_queries_however_many_seats_it_has(
    django_assert_num_queries,
):
    players = [make_player() for _ in range(5)]
    for table in (players[:3], players):
        seats = list(make_match(table).seats.all())
        record = {"game": "basari", "seats": [{}] * len(seats), "steps": []}
        # Lock and write for styles; meetings are added up by the database.
        with django_assert_num_queries(3):
            totals.note("basari", seats, record)


def test_every_game_has_golden_records():
    assert {path.stem.rpartition("-")[0] for path in GOLDEN} == set(GAMES)


def fails(_):
    raise KeyError("a step this game never heard of")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "styles",
    [
        pytest.param(fails, id="counting fails"),
        pytest.param(lambda _: [{}], id="a seat is missing"),
        pytest.param(lambda _: [{"turns": "many"}] * 3, id="not a whole number"),
    ],
)
def test_a_match_whose_style_cannot_be_counted_is_stored_without_it(styles, monkeypatch, caplog):
    monkeypatch.setattr(counting, "styles", styles)
    match = make_match([make_player() for _ in range(3)], "basari")
    assert match.status == "finished"
    assert match.record.digest
    assert not Style.objects.exists()
    assert Meeting.objects.count() == 3
    assert "could not count how bots played a match of basari" in caplog.text
    assert rebuild(write=False).differences == 0

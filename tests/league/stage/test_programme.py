"""What a wall shows by itself, and when."""

import itertools
import json
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.matches.models import Match, Record
from league.stage import panels, programme, services
from league.stage.models import Stage
from league.stage.premiere.pace import auto_speed
from league.stage.premiere.shows import show_of
from league.stage.wall import Wall
from tests.league.stage.evenings import evening, pane, sealed_match, wall_of_league

pytestmark = pytest.mark.django_db


def after_end(stage, **more):
    """A moment after the match of a wall is over."""
    over_ms = (show_of(stage.match_id).last_ms - stage.position_ms) / stage.speed
    return stage.running_since + timedelta(milliseconds=over_ms) + timedelta(**more)


def test_whoever_looks_first_begins_a_match_and_nobody_begins_it_twice():
    stage = wall_of_league()
    assert stage.match is None
    Wall("").read()
    stage.refresh_from_db()
    first = stage.match_id, stage.revision
    assert first[0] in Match.objects.values_list("pk", flat=True)
    Wall("").read()
    stage.refresh_from_db()
    assert (stage.match_id, stage.revision) == first
    # Somebody who saw the wall before it began changes nothing either.
    stage.revision = 0
    assert programme.begin_next(stage)
    stage.refresh_from_db()
    assert (stage.match_id, stage.revision) == first


def test_a_match_its_ranking_and_every_panel_take_turns_and_then_another_begins():
    stage = wall_of_league()
    programme.begin_next(stage)
    stage.refresh_from_db()
    panels = ["movers", "next", "join"]

    def at(now):
        return programme.pane_at(stage, show_of(stage.match_id), panels, now)

    assert at(after_end(stage, seconds=-1)) == "premiere"
    assert at(after_end(stage, seconds=14)) == "premiere"
    assert [at(after_end(stage, seconds=16 + 12 * turn)) for turn in range(4)] == [*panels, None]


def test_all_matches_are_shown_before_one_is_shown_again_and_none_twice_in_a_row():
    stage = wall_of_league(matches=3)
    shown = []
    for _ in range(7):
        stage.refresh_from_db()
        programme.begin_next(stage)
        shown.append(Stage.objects.get().match_id)
    assert set(shown[:3]) == set(shown[3:6]) == set(Match.objects.values_list("pk", flat=True))
    assert all(one != other for one, other in itertools.pairwise(shown))


def test_a_league_without_a_match_shows_its_panels():
    services.stage_of(None)
    assert b'"pane":"join"' in Wall("").read().body


def test_nothing_sealed_is_shown_by_a_wall_that_runs_by_itself():
    stage, event = evening()
    assert programme.candidates(stage) == []
    assert programme.candidates(services.stage_of(None)) == []
    Wall(event.slug).read()
    assert pane(stage) is None
    assert Stage.objects.filter(match=None).count() == 2


def test_a_presenter_keeps_a_pane_and_a_wall_without_one_runs_by_itself_again():
    stage, event = evening()
    services.begin(stage, 0, sealed_match(event))
    services.show_pane(stage, 1, "standings")
    assert pane(stage) == "standings"
    late = timezone.now() + timedelta(minutes=programme.PRESENTER_MINUTES + 5)
    assert pane(stage, late) is None
    services.show_pane(stage, 2, "auto")
    assert pane(stage) == "premiere"
    assert pane(stage, after_end(stage, seconds=20)) in ("standings", "join")
    # It waits for its presenter instead of going on.
    assert pane(stage, after_end(stage, minutes=20)) in ("standings", "join")
    services.hand_over(stage, 3)
    assert pane(stage, after_end(stage, minutes=20)) is None


def test_a_match_that_was_paused_and_left_does_not_stop_the_wall_for_ever():
    stage, event = evening()
    services.begin(stage, 0, sealed_match(event))
    services.pause(stage, 1)
    assert pane(stage, timezone.now() + timedelta(minutes=20)) == "premiere"
    assert pane(stage, timezone.now() + timedelta(hours=2)) is None


def test_a_match_that_was_paused_goes_on_when_the_wall_is_left_to_itself():
    stage, event = evening()
    services.begin(stage, 0, sealed_match(event))
    services.pause(stage, 1)
    services.hand_over(stage, 2)
    stage.refresh_from_db()
    assert pane(stage) == "premiere"
    assert pane(stage, after_end(stage, minutes=2)) is None


def test_every_match_of_a_game_is_shown_at_the_same_speed():
    stage = wall_of_league(matches=2)
    speeds = set()
    for _ in range(2):
        programme.begin_next(stage)
        stage.refresh_from_db()
        speeds.add(stage.speed)
    assert speeds == {auto_speed(stage.match.game, 3)}


def test_a_record_that_cannot_be_read_is_passed_over():
    stage = wall_of_league(matches=2)
    best, other = programme.candidates(stage)
    Record.objects.filter(match=best).update(data=b"damaged", digest="of the damaged one")
    Wall("").read()
    stage.refresh_from_db()
    assert stage.match_id == other


def test_a_match_that_cannot_be_told_any_further_gives_way_to_another(monkeypatch):
    stage = wall_of_league(matches=2)
    wall = Wall("")
    wall.read()
    stage.refresh_from_db()
    show = show_of(stage.match_id)
    monkeypatch.setattr(show, "values", None)
    assert b'"premiere":null' in wall.read().body
    # Somebody who presses, or the time that goes by.
    Stage.objects.update(revision=F("revision") + 1)
    assert b'"premiere":{' in wall.read().body
    assert Stage.objects.get().match_id not in (None, show.match_id)


def test_a_panel_that_fails_stays_as_it_was_and_the_others_go_on(monkeypatch):
    stage = wall_of_league()
    monkeypatch.setattr(panels, "_movers", lambda: f"<p>{Stage.objects.count()}</p>")
    wall = Wall("")
    wall.read()
    before = dict(wall.panels)
    monkeypatch.setattr(panels, "_movers", lambda: 1 / 0)
    monkeypatch.setattr(panels, "_next", lambda: "<p>soon</p>")
    services.show_pane(stage, Stage.objects.get().revision, "auto")
    wall.read()
    assert wall.panels["movers"] == before["movers"]
    assert wall.panels["next"].html == "<p>soon</p>"


def test_a_match_that_is_void_by_now_ends_and_a_bot_is_shown_by_its_new_name(monkeypatch):
    monkeypatch.setattr("league.stage.wall.RENEWAL_SECONDS", 0.001)
    stage = wall_of_league(matches=2)
    wall = Wall("")
    first = json.loads(wall.read().body)["premiere"]
    stage.refresh_from_db()
    seat = stage.match.seats.select_related("bot").first()
    type(seat.bot).objects.filter(pk=seat.bot_id).update(name="Newly", renamed_at=timezone.now())
    renamed = json.loads(wall.read().body)["premiere"]
    assert renamed["head"]["seats"][0]["name"] == "Newly"
    # Whoever has steps with the old name asks for all of them.
    assert renamed["take"] != first["take"]
    Match.objects.filter(pk=stage.match_id).update(status=Match.Status.VOID)
    assert json.loads(wall.read().body)["premiere"]["take"] != renamed["take"]
    assert Stage.objects.get().match_id != stage.match_id


def test_a_wall_with_nothing_to_show_locks_nothing_and_does_not_look_every_second(monkeypatch):
    monkeypatch.setattr("league.stage.wall.RENEWAL_SECONDS", 10**9)
    stage = services.stage_of(None)
    with CaptureQueriesContext(connection) as queries:
        assert not programme.begin_next(stage)
    assert len(queries) == 1
    wall = Wall("")
    wall.read()
    with CaptureQueriesContext(connection) as queries:
        wall.read()
    assert len(queries) == 1, "the row of the wall"

"""What a wall shows by itself, and when."""

import itertools
from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.models import Match
from league.stage import programme, services
from league.stage.models import Stage
from league.stage.premiere.show import show_of
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
    assert programme.begin_next(stage, timezone.now())
    stage.refresh_from_db()
    assert (stage.match_id, stage.revision) == first


def test_a_match_its_ranking_and_every_panel_take_turns_and_then_another_begins():
    stage = wall_of_league()
    programme.begin_next(stage, timezone.now())
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
        programme.begin_next(stage, timezone.now())
        shown.append(Stage.objects.get().match_id)
    assert set(shown[:3]) == set(shown[3:6]) == set(Match.objects.values_list("pk", flat=True))
    assert all(one != other for one, other in itertools.pairwise(shown))


def test_a_league_without_a_match_shows_its_panels():
    services.stage_of(None)
    assert b'"pane":"join"' in Wall("").read().body


def test_nothing_sealed_is_shown_by_a_wall_that_runs_by_itself():
    stage, event = evening()
    assert programme.choose(stage) is None
    assert programme.choose(services.stage_of(None)) is None
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


def test_a_long_match_is_shown_faster():
    stage = wall_of_league()
    programme.begin_next(stage, timezone.now())
    stage.refresh_from_db()
    show = show_of(stage.match_id)
    assert stage.speed == max(1.0, show.last_ms / programme.MAX_SHOW_MS)

"""The page of a wall and its panels, as a browser without script gets them."""

import re
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from league.stage import join, services
from league.stage.models import Stage
from league.stage.panels import panels_of
from league.tournaments.models import Tournament
from tests.league.factories import make_tournament, make_user
from tests.league.stage.evenings import evening, sealed_match, wall_of_league
from tests.league.tournaments.sealing.events import make_event, move_on, play_all

pytestmark = pytest.mark.django_db
State = Tournament.State


def get(address="/tv/", **query):
    return Client().get(address, query)


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        pytest.param({}, 404, id="draft"),
        pytest.param({"state": State.OPEN}, 200, id="open"),
        pytest.param({"state": State.CANCELLED}, 410, id="cancelled"),
        pytest.param({"state": State.FINAL, "hours": 23}, 200, id="just over"),
        pytest.param({"state": State.FINAL, "hours": 25}, 410, id="long over"),
    ],
)
def test_an_event_has_a_wall_from_its_publication_until_a_day_after_its_end(facts, status):
    event = make_tournament(make_user())
    now = timezone.now()
    if state := facts.get("state"):
        ended = now - timedelta(hours=facts.get("hours", 0))
        Tournament.objects.update(state=state, published_at=now, finished_at=ended)
    page = get(event=event.slug)
    assert page.status_code == status
    if status == 410:
        assert event.get_absolute_url() in page.content.decode()


@pytest.mark.parametrize("event", ["nobody", "x" * 500, "../..", "\x00"])
def test_a_wall_that_does_not_exist_is_not_found(event):
    assert get(event=event).status_code == 404


def test_without_script_the_page_says_what_is_on_and_how_to_refresh_it():
    stage, event = evening()
    match = sealed_match(event)
    services.begin(stage, 0, match)
    Stage.objects.update(position_ms=20_000, running_since=None)
    page = get(event=event.slug).content.decode()
    for seat in match.seats.select_related("bot"):
        assert seat.bot.name in page
    assert page.count("<li><span>") == 4, "the latest captions"
    assert 'href="">Refresh' in page
    assert "1st" not in page
    assert "style=" not in page
    Stage.objects.update(position_ms=10**7)
    assert "1st" in get(event=event.slug, late=1).content.decode()


def test_a_sealed_match_is_on_the_wall_of_its_event_and_nowhere_else():
    stage, event = evening()
    match = sealed_match(event)
    services.begin(stage, 0, match)
    Stage.objects.update(position_ms=10**7)
    client = Client()
    assert "1st" in client.get(f"/tv/?event={event.slug}").content.decode()
    assert "No match is on" in client.get("/tv/").content.decode()
    assert client.get(match.get_record_url()).status_code == 404
    assert client.get(f"/matches/{match.pk}/embed/").status_code == 404


def test_the_page_of_the_league_shows_its_panels_and_links_from_every_page_lead_to_it():
    wall_of_league()
    page = get().content.decode()
    assert "Join in" in page
    assert f'data-digest="{panels_of(None)["join"].digest}"' in page
    assert 'href="/tv/"' in get("/docs/").content.decode()


def test_the_wall_of_the_league_shows_the_standings_of_the_event_that_is_played():
    assert "standings" not in panels_of(None)
    _, event = evening(sealed_from=2)
    assert event.name in panels_of(None)["standings"].html
    Tournament.objects.update(published_at=None)
    assert "standings" not in panels_of(None)


def test_a_wall_without_a_database_asks_again_by_itself(monkeypatch):
    def fail(*_):
        raise OperationalError("no answer")

    monkeypatch.setattr("league.stage.views.wall.find_wall", fail)
    answer = get()
    assert answer.status_code == 503
    assert int(answer.headers["Refresh"]) > 0


def test_the_code_is_drawn_with_a_quiet_zone_and_nothing_that_a_page_forbids():
    drawing = str(join.qr_code("https://karat.example.org/tournaments/gala/"))
    [width] = re.findall(r'viewBox="0 0 (\d+) \1"', drawing)
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1", drawing)]
    modules = {(x + k, y) for x, y, length in runs for k in range(length)}
    assert min(x for x, _ in modules) == min(y for _, y in modules) == 4
    assert max(x for x, _ in modules) == int(width) - 5
    # The three finders in its corners, each a ring around a square.
    end = int(width) - 5
    assert {(4, 4), (end, 4), (4, end), (6, 6), (end - 2, 6)} <= modules
    assert not {(5, 5), (end - 1, 5), (5, end - 1)} & modules
    assert "style" not in drawing


def test_a_frozen_board_fills_up_from_the_last_place():
    event = make_event(sealed_from=0, freeze_after_minutes=1)
    play_all(move_on(event, timedelta(minutes=2)))
    stage, gaps = services.stage_of(event), []
    while event.state == State.RUNNING:
        stage.refresh_from_db()
        services.reveal(stage, stage.revision, event.organiser, "")
        event.refresh_from_db()
        html = panels_of(event)["standings"].html
        gaps.append(html.count("not revealed yet"))
        assert ("tv-newest" in html) is (event.state == State.RUNNING)
    assert stage.revision == len(gaps) - 1 > 1
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] >= 4
    assert gaps[-1] == 0

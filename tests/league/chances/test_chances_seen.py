"""Who sees the chances in a match: everybody once it is public, and nobody before."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.db import connection
from django.utils import timezone

from bots_sdk.chances import estimate as estimating
from bots_sdk.chances.values import CHANCES_VERSION, TurningPoint
from league.chances import services
from league.chances.models import MatchChances
from league.chances.queries import MAX_DECISIONS, match_of_the_day
from league.ladder.models import Ladder, LadderRating
from league.matches.models import Match
from tests.league.asking import ask
from tests.league.factories import make_match, make_player, pretend_chances, queue_match
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return [make_player(name=name) for name in ("Anton", "Berta", "Cleo")]


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(estimating, "MAX_PLAYOUTS", 2)


def test_the_api_serves_them_with_their_version_policy_and_error(players, quick):
    match = make_match(players)
    path = f"matches/{match.pk}/chances"
    missing = ask(path)
    assert missing.status_code == 404
    assert "not estimated" in missing.json()["detail"]
    services.compute(match.pk)
    told = ask(path).json()
    facts = {"version": CHANCES_VERSION, "policy": "quick greedy bots", "playouts": 2}
    assert facts.items() <= told.items()
    assert told["decided"]
    assert told["error"] == 354
    assert {sum(row["chances"]) for row in told["rows"]} == {1000}
    assert told["swing"] == Match.objects.get().excitement
    MatchChances.objects.all().delete()
    point = pretend_chances(match).data["turning_points"][0]
    turns = ask(path).json()["turning_points"]
    assert turns == [TurningPoint(*point)._asdict()]


def test_the_page_of_a_match_gets_lines_and_story_as_soon_as_they_are_known(client, players, quick):
    match = make_match(players)
    path = match.get_absolute_url()
    page = client.get(path).content.decode()
    assert "kv-chances" not in page
    assert "The story" not in page
    services.compute(match.pk)
    answer = client.get(path)
    assert answer.content.decode().count('class="kv-chances"') == 1
    said = text_of(answer)
    assert "The story" in said
    assert "2 games played out by quick greedy bots" in said
    assert "±36 points" in said


def test_views_of_seats_and_of_the_public_have_no_lines(client, players, quick):
    match = make_match(players[:2], "edelsteinsuche")
    services.compute(match.pk)
    for view in ("A", "public"):
        page = client.get(match.get_absolute_url(), {"view": view}).content.decode()
        assert 'class="kv-chances"' not in page
        assert '"chances":null' in page
        assert "kv-mark kv-turn" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/matches/",
        "/matches/?sort=excitement",
        "/matches/{pk}/",
        "/matches/{pk}/embed/",
        "/g/basari/",
        "/api/v1/matches",
        "/api/v1/matches/{pk}",
        "/api/v1/matches/{pk}/chances",
    ],
)
def test_a_hidden_match_is_estimated_and_shown_nowhere(client, players, quick, path):
    shown, hidden = make_match(players), make_match(players)
    Match.objects.filter(pk=hidden.pk).update(hidden=True)
    services.compute(hidden.pk)
    swing = 77.125
    Match.objects.filter(pk=hidden.pk).update(excitement=swing)
    MatchChances.objects.update(swing=swing)
    answer = client.get(path.format(pk=hidden.pk))
    page = answer.content.decode()
    for secret in ("77.125", "kv-chances", "kv-mark kv-turn", "The story", "quick greedy"):
        assert secret not in page
    assert match_of_the_day() == shown.pk


def test_nothing_played_is_no_match_of_the_day(players):
    assert match_of_the_day() is None
    queue_match(players)
    assert match_of_the_day() is None


def test_switched_off_it_is_the_latest_public_match_whatever_was_estimated_before(
    players, settings
):
    settings.CHANCES = False
    first, second, hidden = (make_match(players) for _ in range(3))
    pretend_chances(first, 9.0)
    Match.objects.filter(pk=hidden.pk).update(hidden=True)
    assert match_of_the_day() == second.pk


def test_a_match_without_its_record_is_not_shown(players):
    first, second = (make_match(players) for _ in range(2))
    pretend_chances(first, 1.0)
    pretend_chances(second, 9.0)
    second.record.delete()
    assert match_of_the_day() == first.pk


def aged(match, age):
    """The match and its chances as if they were older."""
    then = timezone.now() - age
    Match.objects.filter(pk=match.pk).update(finished_at=then)
    MatchChances.objects.filter(match=match).update(finished_at=then)


@pytest.mark.parametrize(
    ("ages", "swings", "chosen"),
    [
        pytest.param((1, 2, 3), (1.0, 3.0, 2.0), 1, id="the one that turned most today"),
        pytest.param((30, 2, 40), (9.0, 1.0, 9.0), 1, id="today before the week"),
        pytest.param((30, 60, 300), (1.0, 2.0, 9.0), 1, id="this week before what is older"),
        pytest.param((300, 200, 400), (9.0, 1.0, 99.0), 0, id="the last week that was played in"),
        pytest.param((900, 200, 2), (9.0, 8.0, None), 2, id="the latest, if none was estimated"),
    ],
)
def test_the_match_of_the_day_is(players, ages, swings, chosen):
    matches = [make_match(players) for _ in ages]
    for match, hours, swing in zip(matches, ages, swings, strict=True):
        if swing is not None:
            pretend_chances(match, swing)
        aged(match, timedelta(hours=hours))
    assert match_of_the_day() == matches[chosen].pk


def test_strong_bots_make_a_match_worth_watching(players):
    weak, strong = make_match(players), make_match([make_player() for _ in range(3)])
    pretend_chances(weak, 1.2)
    pretend_chances(strong, 1.0)
    assert match_of_the_day() == weak.pk
    ladder = Ladder.objects.get_or_create(game=strong.game)[0]
    for seat in strong.seats.all():
        facts = {"mu": 30.0, "sigma": 1.0, "start_mu": 25.0, "start_sigma": 8.0, "after_no": 0}
        LadderRating.objects.create(ladder=ladder, version=seat.version, **facts)
    assert match_of_the_day() == strong.pk


def test_a_match_that_takes_an_evening_stands_back(players):
    long, short = make_match(players), make_match(players)
    pretend_chances(long, 2.0)
    pretend_chances(short, 1.0)
    Match.objects.filter(pk=long.pk).update(decisions=MAX_DECISIONS * 3)
    assert match_of_the_day() == short.pk


def test_the_feed_sorts_by_what_there_is_to_watch(client, players):
    wild, dull = make_match(players), make_match(players)
    pretend_chances(wild, 3.0)
    pretend_chances(dull, 1.0)
    page = client.get("/matches/?sort=excitement").content.decode()
    assert page.index(wild.get_absolute_url()) < page.index(dull.get_absolute_url())


def test_the_update_forgets_what_was_measured_on_another_scale(players):
    match = make_match(players)
    Match.objects.filter(pk=match.pk).update(excitement=31.0)
    update = import_module("league.chances.migrations.0003_excitement_of_swings").Migration
    with connection.cursor() as cursor:
        cursor.execute(update.operations[0].sql)
    match.refresh_from_db()
    assert match.excitement == 0

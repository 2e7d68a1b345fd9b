"""What staff see and do. Nothing happens without a confirmation, and nobody else gets in."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from league.bots import services as bots
from league.bots.models import BotVersion
from league.ladder.models import Ladder, RatingDay
from league.ladder.ratings import verification
from league.workers.models import Worker
from runners.match import Fault
from tests.league.factories import (
    GAME,
    make_bot,
    make_match,
    make_player,
    make_user,
    make_version,
    rate_all,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    user = make_user("boss", is_staff=True)
    client.force_login(user)
    return client


@pytest.fixture
def benched():
    bot = make_player(make_user("mira"), "Shark")
    version = bot.active
    bots.bench(version, "3 faults in its last 10 matches")
    return version


@pytest.fixture
def stuck():
    return make_version(make_bot(make_user(), "Owl"), status=BotVersion.Status.STUCK)


def test_only_staff_get_in(client, benched, stuck):
    pages = ["/staff/", f"/staff/unbench/{benched.pk}/", f"/staff/check/{stuck.pk}/"]
    pages.append(f"/staff/verify/{GAME}/")
    for ask in (client.get, client.post):
        assert {ask(page).status_code for page in pages} <= {302, 405}
    client.force_login(make_user("tom"))
    for ask in (client.get, client.post):
        assert {ask(page).status_code for page in pages} <= {403, 405}
    benched.refresh_from_db()
    assert benched.benched_at is not None


def test_a_quiet_league_is_called_quiet_only_with_a_worker(staff):
    said = text_of(staff.get("/staff/"))
    assert "No worker has reported" in said
    assert "All quiet" not in said
    assert "No check is stuck." in said
    assert "No version is benched." in said
    worker = Worker.objects.create(name="one", seen_at=timezone.now(), sandbox_ok=True)
    cache.clear()
    assert "All quiet" in text_of(staff.get("/staff/"))
    worker.seen_at -= timedelta(minutes=2)
    worker.save()
    cache.clear()
    assert "All quiet" not in text_of(staff.get("/staff/"))


def test_a_benched_version_plays_again_after_a_confirmation(staff, benched):
    assert "3 faults in its last 10 matches" in text_of(staff.get("/staff/"))
    address = f"/staff/unbench/{benched.pk}/"
    assert "becomes the active version" in text_of(staff.get(address))
    benched.refresh_from_db()
    assert not benched.fit
    staff.post(address)
    benched.refresh_from_db()
    assert benched.fit
    assert benched.bot.active == benched
    assert staff.post(address).status_code == 404


def test_a_stuck_check_is_tried_again(staff, stuck):
    staff.post(f"/staff/check/{stuck.pk}/")
    stuck.refresh_from_db()
    assert (stuck.status, stuck.attempt) == (BotVersion.Status.WAITING, 0)


def test_faults_are_counted_by_code(staff):
    players = [make_player() for _ in range(3)]
    fault = Fault(seat=0, step=3, code="E301", detail="It was not legal.")
    make_match(players, faults=[fault, fault])
    make_match(players)
    rows = staff.get("/staff/").context["faults"]["rows"]
    assert [(row["message"].code, row["count"], row["share"]) for row in rows] == [("E301", 2, 1.0)]


def test_a_dry_run_of_the_ratings_finds_what_is_wrong_and_changes_nothing(staff):
    make_match([make_player() for _ in range(3)])
    rate_all()
    RatingDay.objects.update(mu=1.0)
    staff.post(f"/staff/verify/{GAME}/")
    assert "A dry run was requested" in text_of(staff.get("/staff/"))
    call_command("rebuild_ratings", "--requested")
    said = text_of(staff.get("/staff/"))
    assert "3 differences in 1 matches" in said
    assert set(RatingDay.objects.values_list("mu", flat=True)) == {1.0}


def test_a_proof_that_nobody_asked_for_or_that_is_done_is_not_run(staff):
    make_match([make_player() for _ in range(3)])
    rate_all()
    call_command("rebuild_ratings", "--requested")
    assert Ladder.objects.get(game=GAME).verification == {}
    verification.ask(GAME)
    call_command("rebuild_ratings", "--requested")
    done = Ladder.objects.get(game=GAME).verification
    call_command("rebuild_ratings", "--requested")
    assert Ladder.objects.get(game=GAME).verification == done
    assert done["differences"] == 0
    assert "All ratings verified" in text_of(staff.get("/staff/"))

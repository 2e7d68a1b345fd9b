"""How the league is doing: the same numbers for people, machines and the terminal."""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.matches.models import Match
from league.workers.models import Worker
from league.workers.state import counts
from tests.league.asking import ask
from tests.league.factories import make_match, make_player, make_user, queue_match
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy():
    players = [make_player() for _ in range(3)]
    make_match(players)
    queue_match(players)
    Worker.objects.create(
        name="worker-1", seen_at=timezone.now(), capacity=2, sandbox="landlock", sandbox_ok=True
    )


def test_page_api_and_terminal_tell_the_same(client, busy, capsys):
    shown = client.get("/status/").context["state"]
    told = ask("status").json()
    call_command("status", "--json")
    said = json.loads(capsys.readouterr().out)
    assert told["queue"]["queued"] == said["queue"]["queued"] == shown.queued == 1
    assert told["matches"]["finished"] == said["matches"]["finished"] == shown.finished == 1
    assert told["workers"][0]["name"] == said["workers"][0]["name"] == shown.workers[0].name
    assert told["versions"]["rules"] == said["versions"]["rules"] == shown.rules


def test_matches_are_counted_by_status(busy):
    match = Match.objects.queued().get()
    assert counts() == {"queued": 1, "running": 0, "finished": 1, "void": 0}
    for status in ("running", "void"):
        Match.objects.filter(pk=match.pk).update(status=status)
        assert counts() == {"queued": 0, "running": 0, "finished": 1, "void": 0} | {status: 1}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL goes by the size of a table")
@pytest.mark.parametrize(
    ("found", "index"),
    [
        pytest.param(Match.objects.queued, "matches_queued", id="the queue"),
        pytest.param(lambda: Match.objects.filter(status="running"), "matches_running", id="runs"),
        pytest.param(lambda: Match.objects.filter(status="void"), "matches_void", id="void"),
        pytest.param(lambda: Match.objects.finished()[:1], "matches_latest", id="the latest"),
    ],
)
def test_what_is_asked_for_all_the_time_is_a_look_into_an_index(found, index):
    plan = found().explain()
    assert f"INDEX {index}" in plan
    assert "TEMP B-TREE" not in plan


def test_the_page_says_whether_anybody_plays(client, busy):
    said = text_of(client.get("/status/"))
    assert "Matches are being played." in said
    assert "verified" in said


def test_why_a_worker_is_quarantined_is_told_to_staff_because_it_counts_sealed_matches(busy):
    reason = "bots were too slow or crashed in 6 of its last 20 matches"
    Worker.objects.update(quarantined_at=timezone.now(), quarantine_reason=reason)
    staff = Client()
    staff.force_login(make_user(is_staff=True))
    for client, told in ((Client(), False), (staff, True)):
        said = text_of(client.get("/status/"))
        assert "quarantined" in said
        assert (reason in said) is told


def test_without_a_worker_the_page_says_so_kindly(client):
    said = text_of(client.get("/status/"))
    assert "No worker is playing at the moment." in said
    assert "No worker has reported within the last hour." in said


def test_the_status_works_on_a_database_that_takes_no_writes(client, busy):
    if connection.vendor == "sqlite":
        forbid, allow = "PRAGMA query_only = ON", "PRAGMA query_only = OFF"
    else:
        forbid, allow = "SET TRANSACTION READ ONLY", "SELECT 1"
    with connection.cursor() as cursor:
        cursor.execute(forbid)
        try:
            assert client.get("/status/").status_code == 200
        finally:
            cursor.execute(allow)


def test_a_living_process_says_so_without_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"


def test_readiness_names_what_cannot_be_reached(client, settings, tmp_path):
    found = {"database": "ok", "broker": "ok", "control": "not seen yet"}
    assert client.get("/readyz").json() == found
    settings.REDIS_URL, settings.VAR = "", tmp_path
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == found | {"broker": "not reachable"}

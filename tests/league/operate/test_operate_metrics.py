"""The numbers for Prometheus, and who may read them."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from league.control.models import ControlProcess
from league.operate import inspection
from league.tournaments.models import Tournament
from league.tournaments.services import lifecycle
from league.workers.models import Worker
from runners.match import Fault
from tests.league.factories import make_match, make_player, queue_match, rate_all

pytestmark = pytest.mark.django_db


def numbers(response):
    families = text_string_to_metric_families(response.content.decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_the_numbers_of_the_league_come_from_the_database(client):
    players = [make_player() for _ in range(3)]
    make_match(players, faults=[Fault(1, 3, "E302", "Slow.")])
    queue_match(players)
    Worker.objects.create(
        name="w1", seen_at=timezone.now(), capacity=2, sandbox_ok=True, finished=9, box_start_ms=60
    )
    Worker.objects.create(
        name="w2",
        seen_at=timezone.now(),
        sandbox_ok=True,
        quarantined_at=timezone.now(),
        quarantine_count=2,
    )
    found = numbers(client.get("/metrics"))
    assert found["karat_queue_matches",] == 1
    assert found["karat_queue_age_seconds",] > 0
    assert found["karat_matches_finished_total",] == 1
    assert found["karat_faults_total", "E302"] == 1
    assert found["karat_rating_lag_seconds", "basari"] > 0
    assert (found["karat_workers_alive",], found["karat_workers_playing",]) == (2, 1)
    assert found["karat_capacity_matches",] == 2
    assert found["karat_box_start_seconds", "w1"] == 0.06
    assert found["karat_worker_matches_finished_total", "w1"] == 9
    assert found["karat_worker_quarantined", "w2"] == 1
    assert found["karat_worker_quarantines_total", "w2"] == 2
    rate_all()
    inspection.inspect(inspection.Subject.RECORDS)
    found = numbers(client.get("/metrics"))
    assert found["karat_rating_lag_seconds", "basari"] == 0
    assert found["karat_inspection_wrong", "records"] == 0


def test_durations_of_requests_are_told_by_route(client):
    client.get("/bots/")
    client.get("/no/such/page/")
    found = numbers(client.get("/metrics"))
    assert found["karat_http_request_seconds_count", "GET", "/bots/", "2xx"] >= 1
    assert found["karat_http_request_seconds_count", "GET", "unknown", "4xx"] >= 1


@pytest.mark.parametrize(
    ("asked", "proxies", "status"),
    [
        pytest.param({"REMOTE_ADDR": "127.0.0.1"}, 0, 200, id="this machine"),
        pytest.param({"REMOTE_ADDR": "203.0.113.9"}, 0, 403, id="a stranger"),
        pytest.param(
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9"},
            *(0, 403),
            id="through a proxy nobody told us of",
        ),
        pytest.param(
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1, 203.0.113.9"},
            *(1, 403),
            id="a stranger who claims to be this machine",
        ),
        pytest.param(
            {"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": "Bearer let me see"},
            *(0, 200),
            id="with the token",
        ),
        pytest.param(
            {"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": "Bearer let me"},
            *(0, 403),
            id="with another token",
        ),
        pytest.param({"REMOTE_ADDR": ""}, 0, 403, id="from nowhere"),
    ],
)
def test_only_the_own_machine_and_who_has_the_token_may_read(
    client, settings, asked, proxies, status
):
    settings.METRICS_TOKEN, settings.PROXIES = "let me see", proxies
    assert client.get("/metrics", **asked).status_code == status


def test_without_a_token_an_empty_one_is_no_key(client, settings):
    settings.METRICS_TOKEN = ""
    asked = {"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": "Bearer "}
    assert client.get("/metrics", **asked).status_code == 403


def test_control_rounds_backups_and_room_have_numbers(client, tmp_path):
    found = numbers(client.get("/metrics"))
    assert found["karat_control_heartbeat_timestamp_seconds",] == 0
    assert found["karat_round_stalled_seconds",] == 0
    assert found["karat_maintenance_timestamp_seconds", "backup"] == 0
    assert found["karat_database_bytes",] > 10_000
    assert found["karat_disk_bytes",] > found["karat_disk_free_bytes",] > 0

    call_command("note_backup", "karat-1.pgdump", "--bytes", "4711")
    now = timezone.now()
    ControlProcess.objects.create(
        host="h", pid=1, started_at=now, seen_at=now, work={"ladder": {"ms": 1500}}
    )
    hour_ago = now - timedelta(hours=1)
    cup = lifecycle.create(
        None, "Cup", "basari", {"format": "swiss", "seats": 3}, locks_at=now, starts_at=now
    )
    Tournament.objects.filter(pk=cup.pk).update(
        state="running", created_at=hour_ago, started_at=hour_ago
    )
    found = numbers(client.get("/metrics"))
    assert found["karat_control_heartbeat_timestamp_seconds",] == pytest.approx(now.timestamp())
    assert found["karat_control_work_seconds", "ladder"] == 1.5
    assert found["karat_round_stalled_seconds",] >= 3600
    assert found["karat_maintenance_bytes", "backup"] == 4711
    assert found["karat_maintenance_timestamp_seconds", "backup"] >= now.timestamp() - 1
    Tournament.objects.update(paused=True)
    assert numbers(client.get("/metrics"))["karat_round_stalled_seconds",] == 0

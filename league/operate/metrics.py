"""The numbers of the league for Prometheus, at `/metrics`.

All but the durations of requests come from the database at every scrape, so that every web process
reports the same. Durations of requests are those of the process that answers.
"""

import hmac
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.db.models import Count, Max, Min, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from engine.registry import GAMES
from league.control.models import ControlProcess
from league.matches.models import COUNTS_AT, Fault, Match
from league.operate import inspection, maintenance
from league.tournaments.models import Tournament
from league.web.client_address import client_address, forwarded_by_others
from league.workers.models import SILENCE, Worker
from league.workers.state import state


@require_safe
@never_cache
def show(request: HttpRequest) -> HttpResponse:
    """Show the metrics to the machines that monitor this one, and to nobody else."""
    if not _may_read(request):
        return HttpResponse("Not for you.\n", status=403, content_type="text/plain")
    fresh = CollectorRegistry()
    fresh.register(League())
    return HttpResponse(
        generate_latest(fresh) + generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST
    )


def _may_read(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    header = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(header.encode(), f"Bearer {token}".encode()):
        return True
    # The address of an unknown proxy would let in whoever comes through it.
    text = client_address(request)
    if not text or forwarded_by_others(request):
        return False
    address = ip_address(text)
    return any(address in ip_network(network) for network in settings.METRICS_FROM)


class League:
    """Collects the numbers at every scrape."""

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        now = state()
        yield _gauge("karat_queue_matches", "Matches that are waiting.", now.queued)
        yield _gauge(
            "karat_queue_age_seconds",
            "How long the oldest of them has been waiting.",
            now.oldest_seconds,
        )
        yield _gauge("karat_running_matches", "Matches that are running.", now.running)
        yield _gauge(
            "karat_queue_uploads", "Uploads that are waiting for their check.", now.uploads
        )
        yield _counter("karat_matches_finished", "Matches with a result.", now.finished)
        yield _counter(
            "karat_matches_void", "Matches given up after infrastructure errors.", now.void
        )
        yield _faults()
        yield _rating_lag()
        yield from _workers(now.workers)
        yield from _inspections()
        yield from _control(now.control)
        yield _gauge(
            "karat_round_stalled_seconds",
            "How long ago a running tournament last moved on; of the one that stands longest.",
            _stalled_seconds(),
        )
        yield from _maintenance()


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(name, about, value=value)


def _faults() -> Metric:
    family = CounterMetricFamily("karat_faults", "Faults of bots.", labels=["code"])
    for code, count in Fault.objects.order_by("code").values_list("code").annotate(Count("pk")):
        family.add_metric([code], count)
    return family


def _rating_lag() -> Metric:
    """Return how far ratings are behind: it shows a ladder whose writer stands still."""
    family = GaugeMetricFamily(
        "karat_rating_lag_seconds", "How long the oldest unrated result waits.", labels=["game"]
    )
    for game in GAMES:
        oldest = Match.objects.unrated(game).order_by().aggregate(at=Min(COUNTS_AT))["at"]
        lag = (timezone.now() - oldest).total_seconds() if oldest else 0.0
        family.add_metric([game], lag)
    return family


def _workers(workers: Iterable[Worker]) -> Iterator[Metric]:
    lately = timezone.now() - SILENCE
    alive = [worker for worker in workers if worker.seen_at and worker.seen_at >= lately]
    free = [one for one in alive if one.sandbox_ok and not one.draining and not one.quarantined_at]
    yield _gauge("karat_workers_alive", "Workers with a recent heartbeat.", len(alive))
    yield _gauge("karat_workers_playing", "Of these, those that take matches.", len(free))
    yield _gauge(
        "karat_capacity_matches",
        "Matches that these play at the same time.",
        sum(worker.capacity for worker in free),
    )
    boxes = GaugeMetricFamily(
        "karat_box_start_seconds", "How long a box took to start.", labels=["worker"]
    )
    finished = CounterMetricFamily(
        "karat_worker_matches_finished", "Results that a worker stored.", labels=["worker"]
    )
    quarantined = GaugeMetricFamily(
        "karat_worker_quarantined", "1 if a worker is in quarantine.", labels=["worker"]
    )
    quarantines = CounterMetricFamily(
        "karat_worker_quarantines", "How often a worker was quarantined.", labels=["worker"]
    )
    for worker in workers:
        if worker.box_start_ms is not None:
            boxes.add_metric([worker.name], worker.box_start_ms / 1000)
        finished.add_metric([worker.name], worker.finished)
        quarantined.add_metric([worker.name], float(worker.quarantined_at is not None))
        quarantines.add_metric([worker.name], worker.quarantine_count)
    yield from (boxes, finished, quarantined, quarantines)


def _inspections() -> Iterator[Metric]:
    wrong = GaugeMetricFamily(
        "karat_inspection_wrong", "Problems that the last inspection found.", labels=["subject"]
    )
    when = GaugeMetricFamily(
        "karat_inspection_timestamp_seconds", "When that inspection began.", labels=["subject"]
    )
    for row in inspection.latest():
        wrong.add_metric([row.subject], row.wrong)
        when.add_metric([row.subject], row.begun_at.timestamp())
    yield from (wrong, when)


def _control(process: ControlProcess | None) -> Iterator[Metric]:
    """Yield the heartbeat of the control process; one without any counts as silent since 1970."""
    yield _gauge(
        "karat_control_heartbeat_timestamp_seconds",
        "When a control process last finished some of its work.",
        process.seen_at.timestamp() if process else 0.0,
    )
    work = GaugeMetricFamily(
        "karat_control_work_seconds", "How long a kind of work took last.", labels=["kind"]
    )
    for kind, last in sorted(process.work.items()) if process else ():
        work.add_metric([kind], last["ms"] / 1000)
    yield work


def _stalled_seconds() -> float:
    """Return how long the slowest tournament stands still; paused ones and those whose results are
    to be revealed wait for people.
    """
    running = Tournament.objects.filter(
        state=Tournament.State.RUNNING, paused=False, played_at=None
    ).annotate(
        begun=Max("rounds__started_at"),
        played=Max("rounds__games__match__finished_at", filter=Q(rounds__finished_at=None)),
    )
    latest = (
        max(at for at in moments if at)
        for moments in running.values_list("created_at", "started_at", "begun", "played")
    )
    oldest = min(latest, default=None)
    return (timezone.now() - oldest).total_seconds() if oldest else 0.0


def _maintenance() -> Iterator[Metric]:
    when = GaugeMetricFamily(
        "karat_maintenance_timestamp_seconds", "When it was last done.", labels=["kind"]
    )
    size = GaugeMetricFamily(
        "karat_maintenance_bytes",
        "How large the backup was, or the table of records afterwards.",
        labels=["kind"],
    )
    for kind in maintenance.Kind:
        run = maintenance.latest(kind)
        # One that was never done is alarming too, and an absent number alarms nobody.
        when.add_metric([kind.value], run.finished_at.timestamp() if run else 0.0)
        size.add_metric([kind.value], run.size_bytes if run else 0)
    yield from (when, size)
    total, free = maintenance.disk()
    yield _gauge("karat_database_bytes", "Room the database takes.", maintenance.database_bytes())
    total_files, inside = maintenance.blobs_bytes()
    yield _gauge("karat_blobs_bytes", "Size of all files of bots.", total_files)
    yield _gauge("karat_blobs_database_bytes", "The part of them in the database.", inside)
    yield _gauge("karat_disk_bytes", "Size of the disk of the data folder.", total)
    yield _gauge("karat_disk_free_bytes", "What is free on it.", free)

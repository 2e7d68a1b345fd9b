"""The numbers of the league for Prometheus, at `/metrics`.

All but the durations of requests come from the database when they are asked for, so that every web
process tells the same. Durations of requests are those of the process that answers.
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
from league.matches.models import Fault, Match
from league.operate import inspection, maintenance
from league.tournaments.models import Tournament
from league.web.client_address import client_address, forwarded_by_others
from league.workers.models import SILENCE, Worker
from league.workers.state import state


@require_safe
@never_cache
def show(request: HttpRequest) -> HttpResponse:
    """For the machines that watch this one, and nobody else."""
    if not _welcome(request):
        return HttpResponse("Not for you.\n", status=403, content_type="text/plain")
    fresh = CollectorRegistry()
    fresh.register(League())
    return HttpResponse(
        generate_latest(fresh) + generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST
    )


def _welcome(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    # The address of a proxy nobody told us of would let in whoever comes through it.
    text = client_address(request)
    if not text or forwarded_by_others(request):
        return False
    address = ip_address(text)
    return any(address in ip_network(network) for network in settings.METRICS_FROM)


class League:
    """Collects the numbers anew at every look."""

    def collect(self) -> Iterator[Metric]:
        """All of them."""
        now = state()
        yield _gauge("karat_queue_matches", "Matches that wait.", now.queued)
        yield _gauge(
            "karat_queue_age_seconds", "How long the oldest of them waits.", now.oldest_seconds
        )
        yield _gauge("karat_running_matches", "Matches that are played now.", now.running)
        yield _gauge("karat_queue_uploads", "Uploads that wait for their check.", now.uploads)
        yield _counter("karat_matches_finished", "Matches with a result.", now.finished)
        yield _counter("karat_matches_void", "Matches given up, for a fault of ours.", now.void)
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
    """A ladder whose writer stands still shows here."""
    family = GaugeMetricFamily(
        "karat_rating_lag_seconds", "How long the oldest unrated result waits.", labels=["game"]
    )
    for game in GAMES:
        oldest = Match.objects.unrated(game).order_by().aggregate(at=Min("finished_at"))["at"]
        lag = (timezone.now() - oldest).total_seconds() if oldest else 0.0
        family.add_metric([game], lag)
    return family


def _workers(workers: Iterable[Worker]) -> Iterator[Metric]:
    lately = timezone.now() - SILENCE
    alive = [worker for worker in workers if worker.seen_at and worker.seen_at >= lately]
    free = [one for one in alive if one.sandbox_ok and not one.draining and not one.quarantined_at]
    yield _gauge("karat_workers_alive", "Workers heard of lately.", len(alive))
    yield _gauge("karat_workers_playing", "Of these, those that take matches.", len(free))
    yield _gauge(
        "karat_capacity_matches",
        "Matches that these play at the same time.",
        sum(worker.capacity for worker in free),
    )
    boxes = GaugeMetricFamily(
        "karat_box_start_seconds", "How long a box took to come up.", labels=["worker"]
    )
    finished = CounterMetricFamily(
        "karat_worker_matches_finished", "Results that a worker stored.", labels=["worker"]
    )
    aside = GaugeMetricFamily(
        "karat_worker_quarantined", "1 if the league does not trust a worker.", labels=["worker"]
    )
    quarantines = CounterMetricFamily(
        "karat_worker_quarantines", "How often a worker was set aside.", labels=["worker"]
    )
    for worker in workers:
        if worker.box_start_ms is not None:
            boxes.add_metric([worker.name], worker.box_start_ms / 1000)
        finished.add_metric([worker.name], worker.finished)
        aside.add_metric([worker.name], float(worker.quarantined_at is not None))
        quarantines.add_metric([worker.name], worker.quarantine_count)
    yield from (boxes, finished, aside, quarantines)


def _inspections() -> Iterator[Metric]:
    wrong = GaugeMetricFamily(
        "karat_inspection_wrong", "What the last look at the data found.", labels=["subject"]
    )
    when = GaugeMetricFamily(
        "karat_inspection_timestamp_seconds", "When that look began.", labels=["subject"]
    )
    for row in inspection.latest():
        wrong.add_metric([row.subject], row.wrong)
        when.add_metric([row.subject], row.begun_at.timestamp())
    yield from (wrong, when)


def _control(process: ControlProcess | None) -> Iterator[Metric]:
    """A control process that was never heard of counts as silent since the beginning of time."""
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
    """Paused tournaments wait for people, not for us."""
    running = Tournament.objects.filter(state=Tournament.State.RUNNING, paused=False).annotate(
        begun=Max("rounds__started_at"),
        played=Max("rounds__games__match__finished_at", filter=Q(rounds__finished_at=None)),
    )
    moved = (
        max(at for at in moments if at)
        for moments in running.values_list("created_at", "started_at", "begun", "played")
    )
    oldest = min(moved, default=None)
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
    yield _gauge("karat_disk_bytes", "Size of the disk of the data folder.", total)
    yield _gauge("karat_disk_free_bytes", "What is free on it.", free)

"""What can happen to a worker: it is drained, quarantined, released; and when it may take jobs.

The code version of the league is that of its control process, which writes a row when it starts
with a new one. A worker of another version finishes its jobs and takes no new ones, so that all
matches are played by one version at a time, in whatever order machines are upgraded.
"""

from datetime import timedelta

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from league.database import dialect
from league.jobs import wake
from league.workers.models import FailedAttempt, RulesCode, Worker

MIN_RETEST = timedelta(minutes=1)
MAX_RETEST = timedelta(hours=1)
"""How long a worker waits before its next self-test: twice as long each time."""
STREAK = timedelta(days=1)
"""A worker that was trusted for so long starts with the shortest wait again."""
_WORKERS = Worker._meta.db_table
_CODE = f"(select code from {RulesCode._meta.db_table} order by id desc limit 1)"
_REFUSAL = f"""
select draining, quarantined_at, quarantine_reason, version, {_CODE} from {_WORKERS} where name = %s
"""
MAY_TAKE_JOBS = f"""not exists (
    select 1 from {_WORKERS} where name = %s and (
        draining or quarantined_at is not null or (version <> '' and version <> {_CODE})
    )
)"""
"""The condition of `refusal` as a part of a statement that claims a job."""


def lead(code: str) -> bool:
    """Let matches be played by this code version from now on. Return whether it is a new one."""
    if code == current_code():
        return False
    RulesCode.objects.create(code=code)
    return True


def current_code() -> str | None:
    """Return the code version of the league; None before a control process ever started."""
    return RulesCode.objects.order_by("-pk").values_list("code", flat=True).first()


def refusal(name: str) -> str | None:
    """Return why this worker takes no jobs now, or None if it may."""
    with connection.cursor() as cursor:
        cursor.execute(_REFUSAL, [name])
        values = cursor.fetchone()
    if values is None:
        return None
    draining, quarantined_at, reason, version, code = values
    if draining:
        return "it is being drained"
    if quarantined_at:
        return f"it is in quarantine: {reason}"
    if code and version and code != version:
        return f"its code version is {version}, that of the league is {code}"
    return None


def capacity() -> int:
    """Return how many jobs all workers do at the same time; one, if none was heard of yet."""
    return max(1, sum(Worker.objects.playing().values_list("capacity", flat=True)))


def took(name: str) -> None:
    """Note that it begins a match."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"update {_WORKERS} set unfinished = unfinished + 1,"
            f" taking_since = coalesce(taking_since, {dialect.now()}) where name = %s",
            [name],
        )


def finished(name: str) -> None:
    """Note that it stored a result, so it works."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"update {_WORKERS} set finished = finished + 1, unfinished = 0, taking_since = null"
            " where name = %s",
            [name],
        )


def failed(name: str, match: int) -> None:
    """Note that it had no result, and that the match is given back."""
    FailedAttempt.objects.create(worker=name, match_id=match)


def drain(name: str) -> bool:
    """Let it finish its jobs and take no new ones. Return whether there is such a worker."""
    return bool(Worker.objects.filter(name=name).update(draining=True))


@transaction.atomic
def undrain(name: str) -> bool:
    """Let it take jobs again, even from quarantine. Return whether there is such a worker."""
    exists = Worker.objects.filter(name=name).update(
        draining=False, unfinished=0, taking_since=None
    )
    if exists and not release(name):
        wake.workers()
    return bool(exists)


def quarantine(name: str, reason: str) -> bool:
    """Let it take no jobs until it passes a self-test. Return whether it could until now."""
    worker = Worker.objects.filter(name=name, quarantined_at=None).first()
    if worker is None:
        return False
    now = timezone.now()
    lately = worker.released_at is not None and worker.released_at > now - STREAK
    streak = worker.quarantine_streak + 1 if lately else 1
    return bool(
        Worker.objects.filter(name=name, quarantined_at=None).update(
            quarantined_at=now,
            quarantine_reason=reason[:300],
            quarantine_count=F("quarantine_count") + 1,
            quarantine_streak=streak,
            retest_at=now + retest_wait(streak),
        )
    )


def retest_wait(streak: int) -> timedelta:
    """Return how long a worker waits for its next test after so many quarantines in a row."""
    doublings = min(streak - 1, 20)
    return min(MIN_RETEST * (1 << doublings), MAX_RETEST)


def claim_retest(name: str) -> bool:
    """Return whether this process has to test the worker now; if it fails, it waits longer."""
    now = timezone.now()
    due = Q(retest_at=None) | Q(retest_at__lte=now)
    worker = Worker.objects.filter(due, name=name, quarantined_at__isnull=False).first()
    if worker is None:
        return False
    streak = worker.quarantine_streak + 1
    claimed = Worker.objects.filter(pk=worker.pk, retest_at=worker.retest_at)
    return bool(claimed.update(retest_at=now + retest_wait(streak), quarantine_streak=streak))


@transaction.atomic
def release(name: str) -> bool:
    """End its quarantine with a clean slate; a drained worker stays drained. Return whether it was
    in quarantine.
    """
    released = Worker.objects.filter(name=name, quarantined_at__isnull=False).update(
        quarantined_at=None,
        quarantine_reason="",
        retest_at=None,
        released_at=Now(),
        unfinished=0,
        taking_since=None,
    )
    if released:
        FailedAttempt.objects.filter(worker=name).delete()
        wake.workers()
    return bool(released)

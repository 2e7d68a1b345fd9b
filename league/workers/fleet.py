"""What can happen to a worker: it is drained, set aside, released; and when it may take work.

The code of the league is the code of its control process: it writes a row when it starts with
another one than before. A worker of another code finishes what it plays and takes nothing new, so
that all matches are played by one code at a time, however many machines are upgraded when.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from league.jobs import wake
from league.workers.models import FailedAttempt, RulesCode, Worker

MIN_RETEST = timedelta(minutes=1)
MAX_RETEST = timedelta(hours=1)
"""How long a worker waits before it tries itself again: twice as long each time."""
STREAK = timedelta(days=1)
"""A worker that was trusted for so long begins at the shortest wait again."""


def lead(code: str) -> bool:
    """Matches are played by this code from now on. Whether it is another one than before."""
    if code == current_code():
        return False
    RulesCode.objects.create(code=code)
    return True


def current_code() -> str | None:
    """The code of the league; none before a control process ever started."""
    return _codes().first()


def _codes() -> "QuerySet[RulesCode, str]":
    return RulesCode.objects.order_by("-pk").values_list("code", flat=True)


def refusal(name: str) -> str | None:
    """Why this worker takes nothing now, or None if it may."""
    found = Worker.objects.annotate(code=Subquery(_codes()[:1])).filter(name=name)
    row = found.values_list("draining", "quarantined_at", "quarantine_reason", "version", "code")
    if not (known := row.first()):
        return None
    draining, quarantined_at, because, version, code = known
    if draining:
        return "it is being drained"
    if quarantined_at:
        return f"it was set aside: {because}"
    if code and version and code != version:
        return f"its code is {version}, the league plays by {code}"
    return None


def capacity() -> int:
    """Return how many jobs all workers do at the same time; one, if none was heard of yet."""
    return max(1, sum(Worker.objects.playing().values_list("capacity", flat=True)))


def took(name: str) -> None:
    """It begins a match."""
    Worker.objects.filter(name=name).update(
        unfinished=F("unfinished") + 1, taking_since=Coalesce("taking_since", Now())
    )


def finished(name: str) -> None:
    """It stored a result: it works."""
    Worker.objects.filter(name=name).update(
        finished=F("finished") + 1, unfinished=0, taking_since=None
    )


def failed(name: str, match: int) -> None:
    """It came to no result, and the match is given back."""
    FailedAttempt.objects.create(worker=name, match_id=match)


def drain(name: str) -> bool:
    """Let it finish what it plays and take nothing new. Whether there is such a worker."""
    return bool(Worker.objects.filter(name=name).update(draining=True))


@transaction.atomic
def undrain(name: str) -> bool:
    """Let it take work again, also if the league had set it aside. Whether there is such one."""
    known = Worker.objects.filter(name=name).update(draining=False, unfinished=0, taking_since=None)
    if known and not release(name):
        wake.workers()
    return bool(known)


def quarantine(name: str, because: str) -> bool:
    """It takes nothing until it has passed a self-test. Whether it was in use until now."""
    worker = Worker.objects.filter(name=name, quarantined_at=None).first()
    if worker is None:
        return False
    now = timezone.now()
    lately = worker.released_at is not None and worker.released_at > now - STREAK
    streak = worker.quarantine_streak + 1 if lately else 1
    return bool(
        Worker.objects.filter(name=name, quarantined_at=None).update(
            quarantined_at=now,
            quarantine_reason=because[:300],
            quarantine_count=F("quarantine_count") + 1,
            quarantine_streak=streak,
            retest_at=now + retest_wait(streak),
        )
    )


def retest_wait(streak: int) -> timedelta:
    """Return how long a worker that was set aside so often in a row waits for its next test."""
    doublings = min(streak - 1, 20)
    return min(MIN_RETEST * (1 << doublings), MAX_RETEST)


def claim_retest(name: str) -> bool:
    """Return whether this process is to test the worker now; failing, it waits twice as long."""
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
    """End its quarantine with a clean slate; a drained one stays drained. Whether it was in one."""
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

"""Removing what is not kept for ever: logs, expired sessions, drafts of guests, runs of the
playground, failed logins, uploads that nobody finished, files that no bot has any more.

Also compacting records, which lose nothing.
"""

from collections.abc import Iterator
from datetime import timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine.registry import GAMES
from league.bots import drafts, smoke_matches
from league.bots.bundles import stepwise
from league.database import rows
from league.matches.models import Fault, Match, Record, SeatLog
from league.matches.records import codec
from league.matches.records.compact import NotCompact, compact
from league.operate import maintenance
from league.playground import services as playground

BATCH_SIZE = 1000
ATTEMPTS_KEPT = timedelta(days=1)
"""A lock-out lasts a quarter of an hour; the rest is for operators who look into an attack."""
TIDY_EVERY = 500
"""The number of compacted records after which their space is freed for new ones."""


def remove_old_logs() -> int:
    """Remove logs, notes, tracebacks and smoke matches older than LOG_DAYS, a limited number per
    call. Return how many.
    """
    before = timezone.now() - timedelta(days=settings.LOG_DAYS)
    old = SeatLog.objects.filter(created_at__lt=before).order_by("created_at")
    some = list(old.values_list("pk", flat=True)[:BATCH_SIZE])
    removed = rows.delete(SeatLog, some)
    faults = Fault.objects.filter(created_at__lt=before).exclude(traceback="")
    faults.filter(pk__in=list(faults.values_list("pk", flat=True)[:BATCH_SIZE])).update(
        traceback=""
    )
    return removed + smoke_matches.forget(before, BATCH_SIZE)


def remove_expired() -> int:
    """Remove expired sessions, abandoned drafts and uploads, runs of the playground and old failed
    logins, a limited number per call. Return how many.
    """
    now = timezone.now()
    sessions = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    attempts = AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT)
    removed = 0
    for old in (sessions, attempts):
        some = list(old.values_list("pk", flat=True)[:BATCH_SIZE])
        removed += rows.delete(old.model, some)
    forgetters = (drafts.forget_old, stepwise.forget_old, playground.forget_old)
    return removed + sum(forget_old(BATCH_SIZE) for forget_old in forgetters)


def compact_all(keep: int) -> tuple[int, int]:
    """Compact the records of all but the latest `keep` matches of each game, if they are of the
    current rules. Return how many were compacted, and how many skipped because they would differ.

    On PostgreSQL the old version of a row keeps its space until a vacuum. That is done after every
    few hundred records, so that new matches reuse the space and the table does not grow.
    """
    compacted = skipped = 0
    for record in _beyond(keep):
        try:
            data = codec.pack(compact(codec.unpack(bytes(record.data))))
        except NotCompact:
            skipped += 1
            continue
        Record.objects.filter(pk=record.pk, compact=False).update(data=data, compact=True)
        compacted += 1
        if compacted % TIDY_EVERY == 0:
            maintenance.reuse_space()
    if compacted:
        maintenance.reuse_space()
    return compacted, skipped


def expand_all() -> int:
    """Expand all compact records, before the rules of a game change. Return how many."""
    expanded = 0
    for pk in Record.objects.filter(compact=True).values_list("pk", flat=True):
        with transaction.atomic():
            record = Record.objects.select_for_update().get(pk=pk)
            record.data = codec.whole(bytes(record.data))
            record.compact = False
            record.save(update_fields=["data", "compact"])
        expanded += 1
    return expanded


def _beyond(keep: int) -> Iterator[Record]:
    """Yield the complete records of the current rules that are older than the latest ones."""
    for slug, game in GAMES.items():
        finished = Match.objects.finished().filter(game=slug)
        newest = finished.values_list("finished_at", "pk")[keep : keep + 1].first()
        if newest is None:
            continue
        at, pk = newest
        older = finished.filter(Q(finished_at__lt=at) | Q(finished_at=at, pk__lte=pk))
        whole = older.filter(rules__in=(game.rules, *game.former_rules), record__compact=False)
        for pk in list(whole.values_list("pk", flat=True)):
            yield Record.objects.get(pk=pk)

"""What is not kept for ever: logs of bots, sessions that ended, drafts of guests, wrong passwords.
And records made small, which lose nothing.
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
from league.matches.models import Fault, Match, Record, SeatLog
from league.matches.records import codec
from league.matches.records.compact import NotCompact, compact
from league.operate import maintenance

AT_ONCE = 1000
ATTEMPTS_KEPT = timedelta(days=1)
"""A lock-out lasts a quarter of an hour; the rest is for whoever asks what happened last night."""
TIDY_EVERY = 500
"""Records that are compacted until their old room is given to new ones."""


def remove_old_logs() -> int:
    """Logs, notes, tracebacks and smoke matches are for the owner, for LOG_DAYS. A bounded part of
    them a call.
    """
    before = timezone.now() - timedelta(days=settings.LOG_DAYS)
    old = SeatLog.objects.filter(created_at__lt=before).order_by("created_at")
    some = list(old.values_list("pk", flat=True)[:AT_ONCE])
    removed, _ = SeatLog.objects.filter(pk__in=some).delete()
    told = Fault.objects.filter(created_at__lt=before).exclude(traceback="")
    told.filter(pk__in=list(told.values_list("pk", flat=True)[:AT_ONCE])).update(traceback="")
    return removed + smoke_matches.forget(before, AT_ONCE)


def remove_expired() -> int:
    """Remove sessions that ended, drafts nobody came back for, and the rows about wrong passwords
    of days gone by. A bounded part of them a call.
    """
    now = timezone.now()
    sessions = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    attempts = AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT)
    removed = 0
    for old in (sessions, attempts):
        some = list(old.values_list("pk", flat=True)[:AT_ONCE])
        removed += old.model.objects.filter(pk__in=some).delete()[0]
    return removed + drafts.forget_old(AT_ONCE)


def compact_all(keep: int) -> tuple[int, int]:
    """Compact the records of all but the latest `keep` matches of each game, if they are of the
    rules in force. How many were made small, and how many were left because they would differ.

    On PostgreSQL the old form of a row keeps its room until somebody tidies up. That is done after
    every some hundred, so that games which come in meanwhile take that room and the table does not
    grow.
    """
    made = left = 0
    for record in _beyond(keep):
        try:
            data = codec.pack(compact(codec.unpack(bytes(record.data))))
        except NotCompact:
            left += 1
            continue
        Record.objects.filter(pk=record.pk, compact=False).update(data=data, compact=True)
        made += 1
        if made % TIDY_EVERY == 0:
            maintenance.reuse_space()
    if made:
        maintenance.reuse_space()
    return made, left


def expand_all() -> int:
    """Make all records whole again: before the rules of a game change."""
    made = 0
    for pk in Record.objects.filter(compact=True).values_list("pk", flat=True):
        with transaction.atomic():
            record = Record.objects.select_for_update().get(pk=pk)
            record.data = codec.whole(bytes(record.data))
            record.compact = False
            record.save(update_fields=["data", "compact"])
        made += 1
    return made


def _beyond(keep: int) -> Iterator[Record]:
    """The whole records of the rules in force that are older than the latest ones."""
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

"""Revealing hidden matches: until then nothing tells how they ended. Those of a deal are revealed
when the last of them is over, and sealed ones when their tournament says so.

A version is benched at once, whatever it failed in, but the reason is published when all matches it
is based on are public. Statistics are counted when a match is revealed.
"""

from collections.abc import Iterable

from django.db.models.functions import Now

from league.bots import services as bots
from league.bots.models import BotVersion
from league.matches.models import Match, MatchQuerySet, PendingBenchReason, Seat
from league.matches.statistics import totals

NOT_PUBLIC_YET = "faults in matches that are not public yet"
EVENT_RUNNING = "event running"
"""Says less: it names no faults while the results of an event are sealed."""


def bench(version: BotVersion, because: str, match_ids: Iterable[int]) -> None:
    """Bench a version for a reason that these matches tell of. Its bot is locked."""
    rows = Match.objects.filter(pk__in=match_ids, hidden=True)
    hidden = dict(rows.order_by("pk").values_list("pk", "sealed"))
    hidden_ids = list(hidden)
    for_now = EVENT_RUNNING if any(hidden.values()) else NOT_PUBLIC_YET
    if bots.bench(version, for_now if hidden_ids else because) and hidden_ids:
        PendingBenchReason.objects.update_or_create(
            version=version, defaults={"because": because[:300], "match_ids": hidden_ids}
        )


def count_ahead(matches: MatchQuerySet) -> totals.Counted:
    """Count those of these matches that are to be revealed, before the transaction that does it."""
    return totals.count_stored(_played(matches.filter(hidden=True)))


def unseal(matches: MatchQuerySet, ahead: totals.Counted | None = None) -> None:
    """End the seal of these matches and reveal those of them that no deal keeps hidden. They are
    locked.
    """
    going_on = matches.filter(status__in=[Match.WAITING, Match.RUNNING])
    # These count from their end on, as if they had never been sealed.
    going_on.filter(sealed=True).update(sealed=False)
    matches.filter(sealed=True).update(sealed=False, revealed_at=Now())
    deals = going_on.filter(group__isnull=False).values_list("group", flat=True)
    show(matches.exclude(group__in=list(deals)), ahead)


def show(matches: MatchQuerySet, ahead: totals.Counted | None = None) -> None:
    """Reveal those of these matches that are hidden and not sealed. They are locked."""
    hidden = matches.filter(hidden=True, sealed=False)
    played = _played(hidden)
    hidden.update(hidden=False)
    if played:
        _publish_reasons(played)
        totals.note_stored(played, ahead)


def _played(matches: MatchQuerySet) -> list[int]:
    return list(matches.filter(record__isnull=False).values_list("pk", flat=True))


def _publish_reasons(match_ids: list[int]) -> None:
    """Publish why versions are benched, where all matches that a reason is based on are public.

    The bots are locked before looking: a transaction that benches one of their versions, or reveals
    another deal that its reason is based on, has either finished or sees these matches as public.
    """
    seats = Seat.objects.filter(match__in=match_ids).order_by("bot", "version")
    players = list(seats.values_list("bot", "version").distinct())
    bots.lock_in_order({bot for bot, _ in players})
    for pending in PendingBenchReason.objects.filter(version__in={v for _, v in players}):
        if Match.objects.filter(pk__in=pending.match_ids, hidden=True).exists():
            continue
        provisional = [NOT_PUBLIC_YET, EVENT_RUNNING]
        version = BotVersion.objects.filter(pk=pending.version_id, benched_because__in=provisional)
        version.update(benched_because=pending.because)
        pending.delete()

"""Revealing hidden deals: until then nothing tells how one of their matches ended.

A version is benched at once, whatever it failed in, but the reason is published when all matches it
is based on are public. Statistics are counted when a match is revealed.
"""

from collections.abc import Iterable

from league.bots import services as bots
from league.bots.models import BotVersion
from league.matches.models import Match, MatchQuerySet, PendingBenchReason, Seat
from league.matches.statistics import totals

NOT_PUBLIC_YET = "faults in matches that are not public yet"


def bench(version: BotVersion, because: str, match_ids: Iterable[int]) -> None:
    """Bench a version for its faults in these matches. Its bot is locked."""
    hidden = Match.objects.filter(pk__in=match_ids, hidden=True)
    hidden_ids = list(hidden.order_by("pk").values_list("pk", flat=True))
    if bots.bench(version, NOT_PUBLIC_YET if hidden_ids else because) and hidden_ids:
        PendingBenchReason.objects.update_or_create(
            version=version, defaults={"because": because[:300], "match_ids": hidden_ids}
        )


def show(matches: MatchQuerySet) -> None:
    """Reveal those of these matches that are hidden. They are locked."""
    hidden = matches.filter(hidden=True)
    played = list(hidden.filter(record__isnull=False).values_list("pk", flat=True))
    hidden.update(hidden=False)
    if played:
        _publish_reasons(played)
        totals.note_stored(played)


def _publish_reasons(match_ids: list[int]) -> None:
    """Publish why versions are benched, where all matches that a reason is based on are public.

    The bots are locked before looking: a transaction that benches one of their versions, or reveals
    another deal that its reason is based on, has either finished or sees these matches as public.
    """
    faulty = Seat.objects.filter(match__in=match_ids, faulty=True)
    seats = list(faulty.values_list("bot", "version"))
    if not seats:
        return
    bots.lock_in_order({bot for bot, _ in seats})
    for pending in PendingBenchReason.objects.filter(version__in={v for _, v in seats}):
        if Match.objects.filter(pk__in=pending.match_ids, hidden=True).exists():
            continue
        version = BotVersion.objects.filter(pk=pending.version_id, benched_because=NOT_PUBLIC_YET)
        version.update(benched_because=pending.because)
        pending.delete()

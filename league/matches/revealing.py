"""Showing deals that were hidden: until then nothing tells how one of their matches went.

A version is benched at once, whatever it failed in, but the reason is told when all matches it
rests on are public. How bots play and whom they beat is counted when a match is shown.
"""

from collections.abc import Iterable

from league.bots import services as bots
from league.bots.models import BotVersion
from league.matches.models import Match, MatchQuerySet, PendingBenchReason, Seat
from league.matches.statistics import totals

NOT_PUBLIC_YET = "faults in matches that are not public yet"


def bench(version: BotVersion, because: str, match_ids: Iterable[int]) -> None:
    """Take a version out for what it did in these matches. Its bot is locked."""
    hidden = Match.objects.filter(pk__in=match_ids, hidden=True)
    hidden_ids = list(hidden.order_by("pk").values_list("pk", flat=True))
    if bots.bench(version, NOT_PUBLIC_YET if hidden_ids else because) and hidden_ids:
        PendingBenchReason.objects.update_or_create(
            version=version, defaults={"because": because[:300], "match_ids": hidden_ids}
        )


def show(matches: MatchQuerySet) -> None:
    """Show those of these matches that are hidden. They are locked."""
    hidden = matches.filter(hidden=True)
    played = list(hidden.filter(record__isnull=False).values_list("pk", flat=True))
    hidden.update(hidden=False)
    if played:
        _tell_reasons(played)
        totals.note_stored(played)


def _tell_reasons(match_ids: list[int]) -> None:
    """Write why versions are benched, as far as everything that a reason rests on is public.

    The bots are locked before looking: whoever benches one of their versions, or shows another deal
    its reason rests on, has either finished or will see these matches as public.
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

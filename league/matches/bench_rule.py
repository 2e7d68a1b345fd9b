"""The bench rule: a version that keeps failing does not play on."""

from collections import Counter
from collections.abc import Collection

from django.db.models import QuerySet

from league.bots.models import BotVersion
from league.matches import revealing
from league.matches.models import Fault, Seat

FAULTY_COUNT = 3
LATEST_COUNT = 10
"""So many faulty matches among so many of its latest ones bench a version."""
ESCAPE_CODE = "E307"
"""The fault that benches a version at once: an attempt to leave the box."""
_TIMES = {1: "once", 2: "twice"}


def apply(seat: Seat, codes: Collection[str]) -> None:
    """Bench the version of a seat that was at fault, if the rule says so. Its bot is locked."""
    if ESCAPE_CODE in codes:
        reason = f"it tried to leave the box in match {seat.match_id} ({ESCAPE_CODE})"
        revealing.bench(seat.version, reason, [seat.match_id])
        return
    played = Seat.objects.filter(version=seat.version_id).exclude(finished_at=None)
    # Read again after the match: its owner may have taken it from the bench meanwhile.
    seat.version.refresh_from_db(fields=["activated_at"])
    if seat.version.activated_at:
        played = played.filter(finished_at__gte=seat.version.activated_at)
    # Where the public matches suffice, the hidden ones must not be counted beside them.
    if not _bench_for(seat.version, played.filter(match__hidden=False)):
        _bench_for(seat.version, played)


def _bench_for(version: BotVersion, played: QuerySet[Seat]) -> bool:
    """Bench a version if it was at fault in too many of these. Return whether it was."""
    ordered = played.order_by("-finished_at", "-match").values_list("pk", "match", "faulty")
    latest = list(ordered[:LATEST_COUNT])
    faulty = [pk for pk, _, was_faulty in latest if was_faulty]
    if len(faulty) < FAULTY_COUNT:
        return False
    reason = f"{len(faulty)} faults in its last {len(latest)} matches ({_codes_of(faulty)})"
    revealing.bench(version, reason, [match for _, match, _ in latest])
    return True


def _codes_of(seats: Collection[int]) -> str:
    """Return the fault codes of some seats with their counts, such as `E302 twice, E305 once`."""
    codes = Fault.objects.filter(seat__in=seats).values_list("seat", "code").distinct()
    counts = Counter(code for _, code in codes)
    return ", ".join(
        f"{code} {_TIMES.get(count, f'{count} times')}" for code, count in counts.most_common()
    )

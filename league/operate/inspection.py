"""Inspecting the stored data every night; the results are public."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from time import monotonic

from django.conf import settings
from django.db.models import Count, F, Q
from django.utils import timezone

from league.bots.bundles import inspection as bundles
from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild as rebuild_ratings
from league.matches.models import Match, Record
from league.matches.records.verification import verify_stored
from league.matches.statistics.rebuild import rebuild as rebuild_statistics
from league.operate.models import Inspection

Subject = Inspection.Subject
EVERY = timedelta(days=1)
_MAX_MATCHES = {Subject.LEDGER: 100_000, Subject.STANDINGS: 10_000}
"""Larger leagues let a timer do these inspections (docs/operate.md)."""
MAX_NAMED = 20
"""So many problems are listed; all are counted."""
Findings = tuple[int, list[str], int]
"""How much was inspected, the first problems, and how many there were."""


def due() -> Subject | None:
    """Return what to inspect now: in the configured hour, what was not inspected for a day."""
    now = timezone.now()
    if now.hour != settings.INSPECT_HOUR:
        return None
    lately = Inspection.objects.filter(begun_at__gt=now - EVERY / 2)
    done = set(lately.values_list("subject", flat=True))
    return next((one for one in Subject if one not in done and _affordable(one)), None)


def _affordable(subject: Subject) -> bool:
    """Return whether the control process's machine can do it besides everything else."""
    max_matches = _MAX_MATCHES.get(subject)
    return max_matches is None or Match.objects.finished().count() <= max_matches


def inspect(subject: Subject, sample: int | None = None) -> Inspection:
    """Inspect a subject now, and store the result."""
    row = Inspection.objects.create(subject=subject)
    started = monotonic()
    row.looked_at, row.named, row.wrong = _INSPECTIONS[subject](sample or settings.INSPECT_SAMPLE)
    row.seconds = round(monotonic() - started, 3)
    row.save()
    return row


def latest() -> list[Inspection]:
    """Return the last finished inspection of each subject."""
    rows = (
        Inspection.objects.filter(subject=subject, seconds__isnull=False).first()
        for subject in Subject
    )
    return [row for row in rows if row]


def _records(sample: int) -> Findings:
    complaints = []
    looked_at = 0
    for pk in Record.objects.order_by("?").values_list("pk", flat=True)[:sample]:
        record = Record.objects.select_related("match").get(pk=pk)
        looked_at += 1
        if complaint := verify_stored(record):
            complaints.append(f"match {record.pk}: {complaint}")
    return looked_at, complaints[:MAX_NAMED], len(complaints)


def _ledger(_: int) -> Findings:
    results = {game: rebuild_ratings(game, write=False) for game in _ladders()}
    named = [f"{game}: {line}" for game, one in results.items() for line in one.named]
    return (
        sum(one.matches for one in results.values()),
        named[:MAX_NAMED],
        sum(one.differences for one in results.values()),
    )


def _ladders() -> list[str]:
    return list(Ladder.objects.order_by("game").values_list("game", flat=True))


def _standings(_: int) -> Findings:
    result = rebuild_statistics(write=False)
    return result.matches, result.named, result.differences


def _matches(_: int) -> Findings:
    """Find finished matches without a record or places, and void ones without a reason."""
    finished = Match.objects.filter(status=Match.Status.FINISHED)
    placed = Count("seats", filter=Q(seats__place__isnull=False))
    broken = [
        *_named("has no record", finished.filter(record=None).values_list("pk", flat=True)),
        *_named(
            "has seats without a place",
            finished.annotate(placed=placed)
            .exclude(placed=F("seat_count"))
            .values_list("pk", flat=True),
        ),
        *_named(
            "is void without a reason",
            Match.objects.filter(status=Match.Status.VOID, void_because="").values_list(
                "pk", flat=True
            ),
        ),
    ]
    return finished.count(), broken[:MAX_NAMED], len(broken)


def _blobs(sample: int) -> Findings:
    looked_at, complaints = bundles.inspect(sample)
    return looked_at, complaints[:MAX_NAMED], len(complaints)


def _named(what: str, matches: Iterable[int]) -> list[str]:
    return [f"match {pk} {what}" for pk in matches]


_INSPECTIONS: dict[Subject, Callable[[int], Findings]] = {
    Subject.RECORDS: _records,
    Subject.LEDGER: _ledger,
    Subject.STANDINGS: _standings,
    Subject.MATCHES: _matches,
    Subject.BLOBS: _blobs,
}

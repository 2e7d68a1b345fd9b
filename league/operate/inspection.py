"""Looking at the stored data every night, with what came out kept for everybody to see."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from time import monotonic

from django.conf import settings
from django.db.models import Count, F, Q
from django.utils import timezone

from league.ladder.models import Ladder
from league.ladder.ratings.rebuild import rebuild as rebuild_ratings
from league.matches.models import Match, Record
from league.matches.records.verification import verify_stored
from league.matches.statistics.rebuild import rebuild as rebuild_statistics
from league.operate.models import Inspection

Subject = Inspection.Subject
EVERY = timedelta(days=1)
_MOST_MATCHES = {Subject.LEDGER: 100_000, Subject.STANDINGS: 10_000}
"""Larger leagues let a timer ask these questions (docs/operate.md)."""
SHOWN = 20
"""So many faults are named; all are counted."""
Found = tuple[int, list[str], int]
"""How much was looked at, the first things that were wrong, and how many there were."""


def due() -> Subject | None:
    """Return what to look at now: at the time of day that was set, what was not seen for a day."""
    now = timezone.now()
    if now.hour != settings.INSPECT_HOUR:
        return None
    lately = Inspection.objects.filter(begun_at__gt=now - EVERY / 2)
    done = set(lately.values_list("subject", flat=True))
    return next((one for one in Subject if one not in done and _affordable(one)), None)


def _affordable(subject: Subject) -> bool:
    """Whether the machine of the control process can do it besides everything else."""
    most = _MOST_MATCHES.get(subject)
    return most is None or Match.objects.finished().count() <= most


def inspect(subject: Subject, sample: int | None = None) -> Inspection:
    """Look now, and keep what came out."""
    row = Inspection.objects.create(subject=subject)
    begun = monotonic()
    row.looked_at, row.named, row.wrong = _LOOKS[subject](sample or settings.INSPECT_SAMPLE)
    row.seconds = round(monotonic() - begun, 3)
    row.save()
    return row


def latest() -> list[Inspection]:
    """The last finished look at each subject."""
    found = (
        Inspection.objects.filter(subject=subject, seconds__isnull=False).first()
        for subject in Subject
    )
    return [row for row in found if row]


def _records(sample: int) -> Found:
    complaints = []
    looked_at = 0
    for pk in Record.objects.order_by("?").values_list("pk", flat=True)[:sample]:
        record = Record.objects.select_related("match").get(pk=pk)
        looked_at += 1
        if complaint := verify_stored(record):
            complaints.append(f"match {record.pk}: {complaint}")
    return looked_at, complaints[:SHOWN], len(complaints)


def _ledger(_: int) -> Found:
    found = {game: rebuild_ratings(game, write=False) for game in _ladders()}
    named = [f"{game}: {line}" for game, one in found.items() for line in one.named]
    return (
        sum(one.matches for one in found.values()),
        named[:SHOWN],
        sum(one.differences for one in found.values()),
    )


def _ladders() -> list[str]:
    return list(Ladder.objects.order_by("game").values_list("game", flat=True))


def _standings(_: int) -> Found:
    found = rebuild_statistics(write=False)
    return found.matches, found.named, found.differences


def _matches(_: int) -> Found:
    """A finished match has a record and a place for every seat; a void one says why."""
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
    return finished.count(), broken[:SHOWN], len(broken)


def _named(what: str, matches: Iterable[int]) -> list[str]:
    return [f"match {pk} {what}" for pk in matches]


_LOOKS: dict[Subject, Callable[[int], Found]] = {
    Subject.RECORDS: _records,
    Subject.LEDGER: _ledger,
    Subject.STANDINGS: _standings,
    Subject.MATCHES: _matches,
}

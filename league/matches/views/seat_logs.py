"""The log of a bot for its owner: what it printed and noted beside each of its moves."""

from dataclasses import dataclass
from datetime import timedelta
from math import inf

from django.conf import settings
from django.utils import timezone

from league.matches.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """What came with one decision. Without a step: after the last one."""

    step: int | None
    printed: str
    note: str


@dataclass(frozen=True, slots=True)
class OwnLog:
    """The log of one seat."""

    seat: Seat
    entries: list[Entry]
    cut: bool


def own_logs(seats: list[Seat]) -> list[OwnLog]:
    """Return the logs of these seats, which were fetched with them."""
    return [_log(seat) for seat in seats]


def expired(match: Match) -> bool:
    """Return whether the logs of this match are no longer kept."""
    age = timezone.now() - (match.finished_at or timezone.now())
    return age > timedelta(days=settings.LOG_DAYS)


def _log(seat: Seat) -> OwnLog:
    log = getattr(seat, "log", None)
    if log is None:
        return OwnLog(seat, [], cut=False)
    return OwnLog(seat, entries(log.printed, log.marks, log.notes), log.cut)


def entries(printed: str, marks: list[list[int]], notes: dict[str, str]) -> list[Entry]:
    """Return what a bot printed and noted, decision by decision."""
    parts = _parts(printed, marks)
    parts |= {int(step): parts.get(int(step), "") for step in notes}
    return [
        Entry(step, text, notes.get(str(step), ""))
        for step, text in sorted(parts.items(), key=_step)
        if text or str(step) in notes
    ]


def _step(part: tuple[int | None, str]) -> float:
    return inf if part[0] is None else part[0]


def _parts(printed: str, marks: list[list[int]]) -> dict[int | None, str]:
    """Return what was printed until each mark; marks count bytes.

    Output while loading belongs to the first decision, output after the last one to none.
    """
    data = printed.encode()
    parts: dict[int | None, str] = {}
    at = 0
    for step, until in marks:
        parts[step] = data[at:until].decode("utf-8", "replace")
        at = max(at, until)
    if rest := data[at:].decode("utf-8", "replace"):
        parts[None] = rest
    return parts

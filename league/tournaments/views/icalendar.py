"""Dates as calendars read them (RFC 5545). Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MEDIA_TYPE = "text/calendar; charset=utf-8"
MAX_OCTETS = 74
"""Octets of a line before it is folded."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that takes place."""

    uid: str
    title: str
    about: str
    url: str
    at: datetime
    duration: timedelta
    cancelled: bool = False


def calendar(name: str, events: Iterable[Event], now: datetime) -> str:
    """Return a whole file."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Karat//Tournaments//EN",
        f"X-WR-CALNAME:{_text(name)}",
        *(line for event in events for line in _event(event, now)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _event(event: Event, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"DTSTART:{_moment(event.at)}"
    yield f"DTEND:{_moment(_end(event))}"
    yield f"SUMMARY:{_text(event.title)}"
    yield f"DESCRIPTION:{_text(event.about)}"
    yield f"URL:{event.url}"
    yield f"STATUS:{'CANCELLED' if event.cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def _end(event: Event) -> datetime:
    try:
        return event.at + event.duration
    except OverflowError:
        # Dates end with the year 9999, and old rows may have such a date.
        return event.at


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split("\n")).replace("\r", "")


def _fold(line: str) -> Iterator[str]:
    """Yield a long line in parts, each but the first behind a space; no character is cut in two."""
    part, size = "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > MAX_OCTETS:
            yield part
            part, size = " ", 1
        part += letter
        size += width
    yield part

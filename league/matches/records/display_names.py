"""Names in records: those that its bots had. Staff may have renamed them since.

What is stored never changes. What is shown and sent has the current names, and such a copy has its
own digest, so that it can be verified as it is.
"""

from collections.abc import Iterable

from engine.record.recorder import digest
from league.matches.models import Match, Seat
from league.matches.records.codec import Record


def mark_of(match: Match) -> str:
    """Return a text that changes whenever a bot of this match is renamed; empty if none was."""
    times = match.seats.order_by("number").values_list("bot__renamed_at", flat=True)
    return "".join(f"-{int(time.timestamp() * 1000)}" for time in times if time)


def with_current_names(record: Record, seats: Iterable[Seat]) -> Record:
    """Return the record with the current names of its bots; itself if none was renamed."""
    seats_now = [dict(seat) for seat in record["seats"]]
    for seat in seats:
        if seat.bot.renamed_at is not None:
            seats_now[seat.number] |= {"name": seat.bot.name, "bot": seat.bot.slug}
    if seats_now == record["seats"]:
        return record
    renamed = record | {"seats": seats_now}
    return renamed | {"digest": digest(renamed)} if "digest" in record else renamed

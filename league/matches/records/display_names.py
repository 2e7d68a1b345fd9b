"""Names in records: those its bots had. Staff may have given them others since.

What is stored never changes. What is shown and sent has the names of today, and the digest of such
a copy is its own, so that it verifies as it stands.
"""

from collections.abc import Iterable

from engine.record.recorder import digest
from league.matches.models import Match, Seat
from league.matches.records.codec import Record


def mark_of(match: Match) -> str:
    """Return what changes whenever a bot of this match gets another name; empty if none did."""
    times = match.seats.order_by("number").values_list("bot__renamed_at", flat=True)
    return "".join(f"-{int(time.timestamp() * 1000)}" for time in times if time)


def with_names_of_today(record: Record, seats: Iterable[Seat]) -> Record:
    """Return the record with the names its bots have now; itself, if they have them still."""
    shown = [dict(seat) for seat in record["seats"]]
    for seat in seats:
        if seat.bot.renamed_at is not None:
            shown[seat.number] |= {"name": seat.bot.name, "bot": seat.bot.slug}
    if shown == record["seats"]:
        return record
    masked = record | {"seats": shown}
    return masked | {"digest": digest(masked)} if "digest" in record else masked

"""Is a stored match true? Played again, it must come to the same steps and the same result."""

import zlib

from engine.game import IllegalMove
from engine.record.reading import read
from engine.record.verify import verify
from league.matches.models import Record
from league.matches.records.codec import unpacked

_DAMAGES = (ValueError, LookupError, TypeError, IllegalMove, OSError, EOFError, zlib.error)
"""What reading and playing damaged bytes can come to; a `RecordError` is a `ValueError`."""


def verify_stored(record: Record) -> str | None:
    """What is wrong with it, or nothing."""
    try:
        found = read(unpacked(record.data))
        verify(found)
    except _DAMAGES as error:
        return str(error)
    if found["digest"] != record.digest:
        return "the digest stored beside the record is another one"
    seats = record.match.seats.order_by("number")
    if [seat.place for seat in seats] != found["outcome"]["placements"]:
        return "the places stored with the seats are not those of the record"
    return None

"""Verifying a stored match: played again, it must have the same steps and the same result."""

import zlib

from engine.game import IllegalMove
from engine.record.reading import read
from engine.record.verify import verify
from league.matches.models import Record
from league.matches.records.codec import unpacked

_DAMAGES = (ValueError, LookupError, TypeError, IllegalMove, OSError, EOFError, zlib.error)
"""What reading and playing damaged bytes can raise; a `RecordError` is a `ValueError`."""


def verify_stored(record: Record) -> str | None:
    """Return what is wrong with a stored record, or None."""
    try:
        document = read(unpacked(record.data))
        verify(document)
    except _DAMAGES as error:
        return str(error)
    if document["digest"] != record.digest:
        return "the digest stored beside the record differs"
    seats = record.match.seats.order_by("number")
    if [seat.place for seat in seats] != document["outcome"]["placements"]:
        return "the places stored with the seats are not those of the record"
    return None

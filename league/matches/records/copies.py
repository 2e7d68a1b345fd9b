"""Records as the API sends them: the stored bytes, or a copy for a seat, the public or an owner."""

import gzip
import re
from typing import Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import Field, Schema

from engine.game import PUBLIC, SEAT_LETTERS
from engine.record.redact import redact
from league.accounts.auth import ApiRequest, require
from league.accounts.models import Token
from league.errors import Refused
from league.matches.models import Match, Record, Seat
from league.matches.records import codec, display_names

EVERYTHING = "everything"
_FOR_EVER = "public, max-age=31536000, immutable"
_OWN = "private, no-cache"
_MASKED = "public, no-cache"
"""Staff renamed a bot, and may do so again."""
_TAKES_GZIP = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)")


class RecordQuery(Schema):
    """Which copy of a record."""

    view: str = Field(
        EVERYTHING,
        max_length=10,
        pattern=r"^(everything|public|[A-Z]|[0-9]{1,2})$",
        description="`everything`, `public` or a seat, by its number or letter: what it could see.",
    )
    notes: Literal["public", "mine"] = Field(
        "public", description="With the notes of your own bots, or only with published ones."
    )


def answer(request: ApiRequest, match: Match, query: RecordQuery) -> HttpResponseBase:
    """Return the copy, or 304 for a client that has it."""
    viewer = _viewer(query.view, match)
    own = _own_seats(request, match) if query.notes == "mine" else []
    stored = get_object_or_404(Record.objects.defer("data"), match=match)
    zipped = bool(_TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))
    renamed = display_names.mark_of(match)
    shown_to = EVERYTHING if viewer is None else viewer
    mark = f'"{stored.digest[-32:]}-{shown_to}{renamed}{"-gz" if zipped else ""}"'
    response: HttpResponseBase | None = None
    if not own:
        response = get_conditional_response(request, etag=mark)
    if response is None:
        data = _copy(stored, viewer, own, match if renamed else None)
        content = data if zipped else gzip.decompress(data)
        response = HttpResponse(content, content_type="application/json")
        if zipped:
            response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = _OWN if own else _MASKED if renamed else _FOR_EVER
    if not own:
        response["ETag"] = mark
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _viewer(view: str, match: Match) -> int | None:
    """Return the seat or the public that the copy is for; None if it is for everybody."""
    if view == EVERYTHING:
        return None
    if view == "public":
        return PUBLIC
    seat = int(view) if view.isdigit() else SEAT_LETTERS.find(view)
    if not 0 <= seat < match.seat_count:
        raise Refused("L009", status=422, reason=f"`view`: there is no seat {view}")
    return seat


def _own_seats(request: ApiRequest, match: Match) -> list[Seat]:
    require(request.auth, Token.Scope.READ)
    own = match.seats.filter(bot__owner=request.auth.owner).select_related("log")
    if not (seats := list(own)):
        raise Refused("L007", status=403, reason="None of your bots sat in this match")
    return seats


def _copy(stored: Record, viewer: int | None, own: list[Seat], renamed: Match | None) -> bytes:
    """Return the compressed copy. What most clients ask for is sent as it is stored."""
    if viewer is None and not own and renamed is None:
        return codec.whole(stored.data) if stored.compact else bytes(stored.data)
    record = codec.unpack(bytes(stored.data))
    if renamed is not None:
        record = display_names.with_current_names(record, renamed.seats.select_related("bot"))
    for seat in own:
        if log := getattr(seat, "log", None):
            record = codec.merge_notes(record, seat.number, log.notes)
    if viewer is not None:
        record = redact(record, viewer)
    return codec.pack(record)

"""Code of a guest, stored until its author has signed in. The session holds the key of the row.

Guests can write as much as they like, so rows are few and short-lived: one per session,
`MAX_PER_ADDRESS` per address, `MAX_DRAFTS` in all, for a day. The latest ones stay.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from league.bots.models import StoredDraft
from league.database import rows
from league.database.packing import pack, unpack
from league.web.client_address import counted_address

LIFETIME = timedelta(days=1)
MAX_PER_ADDRESS = 100
MAX_DRAFTS = 1000
_KEY = "draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """What was in the form. `bot` is the slug of the bot it is a version of, if there is one."""

    code: str
    name: str = ""
    note: str = ""
    bot: str = ""


class Gone(Exception):
    """Another request has uploaded the draft, or it has expired."""


@transaction.atomic
def store(request: HttpRequest, draft: Draft) -> UUID:
    """Store a draft until its author has signed in, and return its key."""
    drop(request)
    address = counted_address(request)
    row = StoredDraft.objects.create(address=address, data=pack(asdict(draft)))
    _keep_latest(MAX_PER_ADDRESS, address=address)
    _keep_latest(MAX_DRAFTS)
    request.session[_KEY] = str(row.pk)
    # Signing in gives the session its usual length again.
    request.session.set_expiry(LIFETIME)
    return row.pk


def find(request: HttpRequest, bot: str = "") -> Draft | None:
    """Return the draft for this form."""
    draft = _read(_rows(request))
    return draft if draft and draft.bot == bot else None


def find_by_key(request: HttpRequest, key: UUID) -> Draft | None:
    """Return the draft with this key, if it is the one of the session."""
    return _read(_rows(request).filter(pk=key))


def claim(key: UUID | None) -> None:
    """Take the draft with this key, if any, for the transaction that uploads it.

    A draft that is taken already is `Gone`. A transaction that fails puts it back.
    """
    if key is not None and not StoredDraft.objects.filter(pk=key).delete()[0]:
        raise Gone


def drop(request: HttpRequest) -> None:
    """Remove the draft, once it is uploaded."""
    _rows(request).delete()
    request.session.pop(_KEY, None)


def forget_old(limit: int) -> int:
    """Remove old drafts, at most `limit` per call. Return how many."""
    old = StoredDraft.objects.filter(created_at__lt=timezone.now() - LIFETIME)
    pks = list(old.values_list("pk", flat=True)[:limit])
    return rows.delete(StoredDraft, pks)


def _rows(request: HttpRequest) -> QuerySet[StoredDraft]:
    """Return the draft of the session, or none."""
    try:
        return StoredDraft.objects.filter(pk=UUID(request.session.get(_KEY, "")))
    except (ValueError, AttributeError):
        # There is none, or the session is broken.
        return StoredDraft.objects.none()


def _read(rows: QuerySet[StoredDraft]) -> Draft | None:
    row = rows.first()
    return Draft(**unpack(bytes(row.data))) if row else None


def _keep_latest(limit: int, **filters: str) -> None:
    rows = StoredDraft.objects.filter(**filters).order_by("-created_at")
    StoredDraft.objects.filter(pk__in=list(rows.values_list("pk", flat=True)[limit:])).delete()

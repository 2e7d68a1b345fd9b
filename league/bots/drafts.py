"""Code that waits until its author has signed in: a row, to which the session has the key.

Guests can write as much as they like, so rows are few, small and short-lived: one for a session,
`MAX_OF_ADDRESS` for an address, `MAX_DRAFTS` in all, for a day. Who comes last stays.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from league.bots.models import StoredDraft
from league.database.packing import pack, unpack
from league.web.client_address import counted_address

KEPT = timedelta(days=1)
MAX_OF_ADDRESS = 100
MAX_DRAFTS = 1000
_KEY = "draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """What was in the form. `bot` is the slug of the bot it is a version of, if there is one."""

    code: str
    name: str = ""
    note: str = ""
    bot: str = ""


@transaction.atomic
def keep(request: HttpRequest, draft: Draft) -> None:
    """Hold it over sign-up or sign-in."""
    drop(request)
    address = counted_address(request)
    row = StoredDraft.objects.create(address=address, data=pack(asdict(draft)))
    _keep_latest(MAX_OF_ADDRESS, address=address)
    _keep_latest(MAX_DRAFTS)
    request.session[_KEY] = str(row.pk)
    # Signing in makes it a session like any other.
    request.session.set_expiry(KEPT)


def kept(request: HttpRequest, bot: str = "") -> Draft | None:
    """What waits for this form."""
    row = _rows(request).first()
    draft = Draft(**unpack(bytes(row.data))) if row else None
    return draft if draft and draft.bot == bot else None


def drop(request: HttpRequest) -> None:
    """It is uploaded."""
    _rows(request).delete()
    request.session.pop(_KEY, None)


def forget_old(most: int) -> int:
    """Remove drafts nobody came back for, a bounded part a call."""
    old = StoredDraft.objects.filter(created_at__lt=timezone.now() - KEPT)
    some = list(old.values_list("pk", flat=True)[:most])
    removed, _ = StoredDraft.objects.filter(pk__in=some).delete()
    return removed


def _rows(request: HttpRequest) -> QuerySet[StoredDraft]:
    """The draft of the session, or none."""
    try:
        return StoredDraft.objects.filter(pk=UUID(request.session.get(_KEY, "")))
    except (ValueError, AttributeError):
        # Nothing, or a session from the time when it held the code itself.
        return StoredDraft.objects.none()


def _keep_latest(most: int, **which: str) -> None:
    rows = StoredDraft.objects.filter(**which).order_by("-created_at")
    StoredDraft.objects.filter(pk__in=list(rows.values_list("pk", flat=True)[most:])).delete()

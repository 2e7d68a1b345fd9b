"""Inspecting blobs: is what bots need still there, and is nothing left that nobody needs."""

from datetime import timedelta

from django.utils import timezone

from league.blobs import collecting, store
from league.blobs.models import Blob
from runners.failures import InfrastructureError

Findings = tuple[int, list[str]]


def inspect(sample: int) -> Findings:
    """Read random blobs, and look for all that should have been removed. Return how many were
    looked at, and what is wrong.
    """
    unused = Blob.objects.unreferenced()
    used = Blob.objects.exclude(pk__in=unused.values("pk")).order_by("?")
    digests = list(used.values_list("pk", flat=True)[:sample])
    complaints = [complaint for digest in digests if (complaint := _complaint(digest))]
    # The collector comes once a day, and passes over those of the last day.
    old = timezone.now() - collecting.GRACE - timedelta(days=2)
    forgotten = unused.filter(created_at__lt=old).order_by("pk").values_list("pk", flat=True)
    complaints += [f"the blob {digest} should have been removed" for digest in forgotten]
    return len(digests), complaints


def _complaint(digest: str) -> str | None:
    try:
        store.read(digest)
    except InfrastructureError as error:
        return str(error)
    return None

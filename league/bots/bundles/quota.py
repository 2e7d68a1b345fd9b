"""The space that a user's files take: every content once, however many versions have it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from league.accounts.models import User
from league.blobs.models import Blob
from league.bots.models import OpenUploadFile, SourceFile
from league.errors import Refused

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Usage:
    """How many bytes somebody uses, of how many."""

    used: int
    limit: int

    @property
    def left(self) -> int:
        """Return the bytes that are left."""
        return max(0, self.limit - self.used)


def usage(user: User) -> Usage:
    """Return what the files of a user take, those of open uploads included."""
    return Usage(sum(_sizes(user).values()), settings.BUNDLE_QUOTA_MIB * MIB)


def check(user: User | None, sizes: Mapping[str, int]) -> None:
    """Refuse contents of these sizes, by digest, if the user has no space for them. House bots
    have no owner and no quota.
    """
    if user is None or not sizes:
        return
    own = _sizes(user)
    used = sum(own.values())
    # What was announced may be larger than it said.
    new = sum(max(0, size - own.get(digest, 0)) for digest, size in sizes.items())
    limit = settings.BUNDLE_QUOTA_MIB * MIB
    if new and used + new > limit:
        reason = (
            f"Your files take {_megabytes(used)} of {settings.BUNDLE_QUOTA_MIB} MB,"
            f" and this upload would add {_megabytes(new)} MB"
        )
        raise Refused("L015", status=413, reason=reason)


def _sizes(user: User) -> dict[str, int]:
    """Return the sizes of everything that a user has stored or announced, by digest."""
    files = SourceFile.objects.filter(source__versions__bot__owner=user)
    stored = Blob.objects.filter(pk__in=files.values("blob"))
    announced = OpenUploadFile.objects.filter(upload__bot__owner=user)
    sizes: dict[str, int] = {}
    for digest, size in announced.values_list("digest", "size"):
        sizes[digest] = max(size, sizes.get(digest, 0))
    return sizes | dict(stored.values_list("pk", "size"))


def _megabytes(size: int) -> str:
    return f"{-(-size * 10 // MIB) / 10:,.1f}"

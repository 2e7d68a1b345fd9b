"""Uploading a bundle file by file: announce all files, send what the league lacks, finish.

An upload that broke off goes on where it stopped: announcing the same files again leads back to
it. Contents count as present only if the user has them already or may read them, so that nobody
learns by a digest what others have.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.accounts import services as accounts
from league.accounts.models import User
from league.blobs import collecting, store
from league.blobs.models import Blob
from league.bots import services
from league.bots.bundles import contents, quota
from league.bots.bundles.contents import Content
from league.bots.models import Bot, BotVersion, OpenUpload, OpenUploadFile, SourceFile
from league.database.transactions import atomic_with_retries
from league.errors import Refused
from runners.bundles.bundle import ListedFile, Listing
from runners.bundles.paths import is_junk
from runners.bundles.rules import check_files, unusable
from runners.failures import InfrastructureError
from runners.upload.finding import Finding

LIFETIME = timedelta(days=1)
MAX_OPEN = 5
"""Of one user."""
_PIECE = 1 << 20


class Body(Protocol):
    """What a content is read from."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most so many; none at the end."""


def begin(bot: Bot, files: Sequence[ListedFile], note: str = "") -> OpenUpload:
    """Announce the files of a bundle; for the same ones again it is the same upload."""
    owner = bot.owner
    assert owner is not None
    listing = _read_listing(files)
    if BotVersion.objects.suspended_code([listing.digest]).exists():
        raise Refused("L013")
    with transaction.atomic():
        accounts.take_turns(owner)
        services.refuse_retired(bot)
        former = bot.open_uploads.filter(digest=listing.digest).first()
        if former:
            return _note(former, note)
        services.check_uploads_left(owner)
        if OpenUpload.objects.filter(bot__owner=owner).count() >= MAX_OPEN:
            reason = f"You have {MAX_OPEN} unfinished uploads"
            raise Refused("L016", reason=reason, fix="Finish one or delete it")
        quota.check(owner, {file.digest: file.size for file in files})
        return _create(bot, listing, note)


def missing(upload: OpenUpload) -> list[str]:
    """Return the digests of the contents that have to be sent."""
    absent = upload.files.filter(blob=None).order_by("digest")
    return list(absent.values_list("digest", flat=True).distinct())


def receive(upload: OpenUpload, digest: str, body: Body) -> None:
    """Store a content that was announced, if it is what its digest says. Harmless if repeated."""
    file = upload.files.filter(digest=digest).first()
    if file is None:
        raise Refused("L010", status=404, reason="The upload has no file with this digest")
    data = _read_exactly(body, file)
    try:
        store.write_ahead({digest: data})
        _put(upload, digest, data)
    except InfrastructureError as error:
        raise Refused("S003", status=503) from error


@atomic_with_retries
def _put(upload: OpenUpload, digest: str, data: bytes) -> None:
    if not _lock(upload):
        raise Refused("L010", status=404)
    store.put({digest: data})
    upload.files.filter(digest=digest).update(blob=digest)


def finish(upload: OpenUpload) -> services.Upload:
    """Store what was sent as the next version of the bot, as if it had come in one piece."""
    listing = _listing(upload)
    if listing.entry is None:
        raise Refused("L010", status=404)
    _refuse_incomplete(upload)
    return _finish(upload, Content(listing.digest, _read_entry(listing), listing))


@atomic_with_retries
def _finish(upload: OpenUpload, content: Content) -> services.Upload:
    if upload.bot.owner:
        accounts.take_turns(upload.bot.owner)
    if not _lock(upload):
        raise Refused("L010", status=404)
    store.hold(content.sizes)
    stored = services.store_version(upload.bot, content, upload.note)
    OpenUpload.objects.filter(pk=upload.pk).delete()
    return stored


def _refuse_incomplete(upload: OpenUpload) -> None:
    if absent := missing(upload):
        files = upload.files.filter(digest__in=absent)
        names = ", ".join(files.order_by("path").values_list("path", flat=True)[:3])
        reason = f"{len(absent)} contents are missing, such as of {names}"
        raise Refused("L016", reason=reason, fix="Send them and finish again")


@atomic_with_retries
def cancel(upload: OpenUpload) -> None:
    """Delete an upload; what was sent goes with it, unless something else has it."""
    if not _lock(upload):
        return
    blobs = set(upload.files.exclude(blob=None).values_list("blob", flat=True))
    OpenUpload.objects.filter(pk=upload.pk).delete()
    if blobs:
        transaction.on_commit(partial(collecting.collect, blobs), robust=True)


def cancel_all(bot: Bot) -> None:
    """Delete all uploads to a bot that are not finished."""
    for upload in bot.open_uploads.all():
        cancel(upload)


def forget_old(limit: int) -> int:
    """Delete uploads that nobody finished within a day, at most `limit` per call. Return how
    many.
    """
    old = OpenUpload.objects.filter(created_at__lt=timezone.now() - LIFETIME)
    uploads = list(old.order_by("created_at")[:limit])
    for upload in uploads:
        cancel(upload)
    return len(uploads)


def _lock(upload: OpenUpload) -> bool:
    """Lock an upload until the end of the transaction. Return whether it is still there."""
    return bool(OpenUpload.objects.filter(pk=upload.pk).select_for_update())


def _read_listing(files: Sequence[ListedFile]) -> Listing:
    """Return the listing of announced files; refuse files that are no bundle."""
    if len({file.digest for file in files}) < len({(file.digest, file.size) for file in files}):
        raise Refused("L009", status=422, reason="One digest has two sizes in the list")
    # Mappings would hide that a path is there twice.
    if len({file.path for file in files}) < len(files):
        raise Refused("L009", status=422, reason="A path is in the list twice")
    try:
        for file in files:
            if is_junk(file.path):
                raise unusable("files of this name are left out of bundles; do so", file.path)
        check_files({file.path: file.size for file in files}, settings.BUNDLE_LIMITS)
    except Finding as finding:
        raise contents.refusal(finding) from None
    return Listing.of(files)


def _note(upload: OpenUpload, note: str) -> OpenUpload:
    upload.note = note.strip()[:200]
    upload.save(update_fields=["note"])
    return upload


def _create(bot: Bot, listing: Listing, note: str) -> OpenUpload:
    sizes = {file.digest: file.size for file in listing.files}
    # Held until the references are written.
    present = store.hold(_readable(bot.owner, sizes))
    upload = bot.open_uploads.create(digest=listing.digest, note=note.strip()[:200])
    OpenUploadFile.objects.bulk_create(
        OpenUploadFile(
            upload=upload,
            path=file.path,
            size=file.size,
            digest=file.digest,
            blob_id=file.digest if file.digest in present else None,
        )
        for file in listing.files
    )
    return upload


def _readable(user: User | None, sizes: dict[str, int]) -> list[str]:
    """Return those of these contents that the user has or may read, and whose sizes are right."""
    announced = OpenUploadFile.objects.filter(upload__bot__owner=user, blob__in=sizes)
    files = SourceFile.objects.filter(blob__in=sizes)
    own = files.filter(source__versions__bot__owner=user)
    known = Blob.objects.filter(
        Q(pk__in=own.values("blob"))
        | Q(pk__in=announced.values("blob"))
        | Q(pk__in=_published(files).values("blob"))
    )
    return [digest for digest, size in known.values_list("pk", "size") if sizes[digest] == size]


def _published(files: QuerySet[SourceFile]) -> QuerySet[SourceFile]:
    """Return those of these files that everybody may read."""
    version = "source__versions"
    published = Q(**{f"{version}__source_public": True})
    # By a pattern: the ends of texts have no case in SQLite.
    published &= Q(path__regex=r"\.py$") | Q(**{f"{version}__data_public": True})
    of_house = Q(**{f"{version}__bot__owner": None})
    return files.filter(of_house | published, **{f"{version}__bot__in": Bot.objects.public()})


def _read_exactly(body: Body, file: OpenUploadFile) -> bytes:
    """Return the body if it has the announced size and digest; never read more than that."""
    pieces, left, content = [], file.size + 1, sha256()
    while left and (piece := body.read(min(left, _PIECE))):
        pieces.append(piece)
        content.update(piece)
        left -= len(piece)
    size = file.size + 1 - left
    if size != file.size:
        sent = "more" if not left else f"{size:,}"
        reason = f"`{file.path}` has {file.size:,} bytes in the list, and {sent} were sent"
        raise Refused("L009", status=422, reason=reason)
    if content.hexdigest() != file.digest:
        reason = f"What was sent for `{file.path}` has another digest; it is {content.hexdigest()}"
        raise Refused("L009", status=422, reason=reason)
    return b"".join(pieces)


def _listing(upload: OpenUpload) -> Listing:
    rows_of_files = upload.files.values_list("path", "size", "digest")
    return Listing.of(ListedFile(*row) for row in rows_of_files)


def _read_entry(listing: Listing) -> str:
    digest = next(file.digest for file in listing.files if file.path == listing.entry)
    try:
        return contents.read_entry(listing, store.read(digest))
    except Finding as finding:
        raise contents.refusal(finding) from None
    except InfrastructureError as error:
        raise Refused("S003", status=503) from error

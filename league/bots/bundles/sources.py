"""Code in the database: a text, or a listing whose files are blobs. Stored once, dropped when no
version has it any more.
"""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from league.blobs import collecting, store
from league.bots.bundles.contents import Content
from league.bots.models import BotVersion, Source, SourceFile
from runners.bundles.bundle import Bundle, ListedFile, Listing


def store_source(content: Content) -> Source:
    """Store code for a version that this transaction goes on to create. Blobs are there already."""
    while True:
        source, created = Source.objects.get_or_create(
            digest=content.digest,
            defaults={"text": content.text, "bundle": content.listing is not None},
        )
        # Whoever drops it waits, and then finds that it is in use.
        if created or Source.objects.filter(pk=source.pk).select_for_update(no_key=True):
            break
    if created and content.listing:
        SourceFile.objects.bulk_create(
            SourceFile(source=source, path=file.path, blob_id=file.digest)
            for file in content.listing.files
        )
    return source


def put_blobs(content: Content) -> None:
    """Store the files of a bundle, or hold them, until the transaction has stored the source."""
    if content.blobs:
        store.put(content.blobs)


def listing(digest: str) -> Listing:
    """Return the files of a bundle."""
    rows = SourceFile.objects.filter(source=digest)
    return Listing.of(ListedFile(*row) for row in rows.values_list("path", "blob__size", "blob_id"))


def load(digest: str) -> Bundle:
    """Return a bundle with the contents of its files; `InfrastructureError` if one is missing."""
    return Bundle({file.path: store.read(file.digest) for file in listing(digest).files})


def drop(digests: Iterable[str]) -> None:
    """Remove code that no version has any more; its files go when the transaction is over."""
    locked = Source.objects.filter(digest__in=list(digests)).order_by("pk").select_for_update()
    own = list(locked.values_list("pk", flat=True))
    unused = Source.objects.filter(pk__in=own).exclude(
        pk__in=BotVersion.objects.filter(source__in=own).values("source")
    )
    blobs = set(SourceFile.objects.filter(source__in=unused).values_list("blob_id", flat=True))
    unused.delete()
    if blobs:
        transaction.on_commit(partial(collecting.collect, blobs), robust=True)

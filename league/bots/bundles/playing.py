"""The code of a version as it plays: a text, or a bundle in the cache of this host.

A process remembers the code it played last, so that a ladder asks the database for nothing.
"""

from functools import lru_cache

from django.conf import settings

from league.blobs import store
from league.bots.bundles import sources
from league.bots.models import Source
from runners.bundles import cache
from runners.bundles.bundle import ListedFile
from runners.bundles.unpacked import Code, UnpackedBundle

MAX_TEXTS = 64
MAX_BUNDLES = 8
"""What a process remembers stays in the cache, so there are few of them."""


def code(digest: str) -> Code:
    """Return the code with this digest, ready to play; `InfrastructureError` if files of it cannot
    be had.
    """
    text = _text(digest)
    if text is not None:
        return text
    bundle = _bundle(digest)
    if not bundle.folder.exists():
        # Somebody removed the cache.
        _bundle.cache_clear()
        bundle = _bundle(digest)
    return bundle


@lru_cache(MAX_TEXTS)
def _text(digest: str) -> str | None:
    """Return the text of a single file; None for a bundle."""
    text, is_bundle = Source.objects.values_list("text", "bundle").get(pk=digest)
    return None if is_bundle else text


@lru_cache(MAX_BUNDLES)
def _bundle(digest: str) -> UnpackedBundle:
    text = Source.objects.values_list("text", flat=True).get(pk=digest)
    return cache.place(sources.listing(digest), text, _fetch, settings.BUNDLE_CACHE_MIB)


def _fetch(file: ListedFile) -> bytes:
    return store.read(file.digest)

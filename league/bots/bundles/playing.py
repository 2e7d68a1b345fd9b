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

MAX_REMEMBERED = 64
"""Texts, or places of bundles."""


def code(digest: str) -> Code:
    """Return the code with this digest, ready to play; `InfrastructureError` if files of it cannot
    be had.
    """
    remembered = _code(digest)
    if isinstance(remembered, UnpackedBundle) and not remembered.folder.exists():
        # Another process made space in the cache.
        _code.cache_clear()
        return _code(digest)
    return remembered


@lru_cache(MAX_REMEMBERED)
def _code(digest: str) -> Code:
    text, bundle = Source.objects.values_list("text", "bundle").get(pk=digest)
    if not bundle:
        return text
    return cache.place(sources.listing(digest), text, _fetch, settings.BUNDLE_CACHE_MIB)


def _fetch(file: ListedFile) -> bytes:
    return store.read(file.digest)

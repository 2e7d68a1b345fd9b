"""What an upload holds: the text of a single file, or the files of a bundle, however they came."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from re import compile as regex

from django.conf import settings

from league.blobs import store
from league.errors import Refused
from runners.bundles.bundle import Bundle, Listing
from runners.bundles.pack import from_files
from runners.bundles.rules import unusable
from runners.bundles.unpack import is_zip, unpack
from runners.failures import InfrastructureError
from runners.upload.finding import Finding
from runners.upload.source import read_text

_LISTING = regex(r"[0-9a-f]{64} \d+ ")
"""How the text of a listing begins."""


@dataclass(frozen=True, slots=True)
class Content:
    """The code of a version, not stored yet."""

    digest: str
    text: str
    """Of the file with the bot."""
    listing: Listing | None = None
    """Of a bundle."""
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    """The files of a bundle by their digests, as far as they are not in the store."""

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of its blobs by their digests."""
        return {file.digest: file.size for file in self.listing.files} if self.listing else {}

    @property
    def digests(self) -> list[str]:
        """Return what code is known by: the content, and the text of the file with the bot."""
        return [self.digest, sha256(self.text.encode()).hexdigest()]


def read(data: bytes | Bundle) -> Content:
    """Read the bytes of a file or of a zip, or files that were sent together; refuse what is none
    of them.
    """
    try:
        if isinstance(data, Bundle):
            return _read_bundle(from_files(data.files, settings.BUNDLE_LIMITS))
        if is_zip(data):
            return _read_bundle(unpack(data, settings.BUNDLE_LIMITS))
        return _read_single(data)
    except Finding as finding:
        raise refusal(finding) from None
    except InfrastructureError as error:
        raise Refused("S003", status=503) from error


def read_entry(listing: Listing, data: bytes) -> str:
    """Return the text of the file with the bot; raise a `Finding` if it is no text."""
    try:
        return read_text(data, settings.LIMITS)
    except Finding as finding:
        raise unusable(str(finding.values["reason"]), listing.entry) from None


def refusal(finding: Finding) -> Refused:
    """Return what is wrong with files as a refusal of their upload."""
    return Refused(finding.code, status=422, **finding.values)


def write_ahead(content: Content) -> None:
    """Write the files of a bundle to a store outside of the database, before a transaction."""
    try:
        store.write_ahead(content.blobs)
    except InfrastructureError as error:
        raise Refused("S003", status=503) from error


def _read_bundle(bundle: Bundle) -> Content:
    listing = bundle.listing
    assert listing.entry is not None
    blobs = {file.digest: bundle.files[file.path] for file in listing.files}
    text = read_entry(listing, bundle.files[listing.entry])
    return Content(listing.digest, text, listing, blobs)


def _read_single(data: bytes) -> Content:
    text = read_text(data, settings.LIMITS)
    if _LISTING.match(text):
        # Its digest would be that of a bundle, whose place it could take. It is never Python.
        raise Finding("E106", {"reason": "It is the list of the files of a bundle"})
    return Content(sha256(text.encode()).hexdigest(), text)

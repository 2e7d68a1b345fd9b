"""Reading the files of a version again, as far as somebody may."""

from threading import BoundedSemaphore

from league.blobs import store
from league.bots import services
from league.bots.bundles import sources
from league.bots.models import BotVersion
from league.errors import Refused
from runners.bundles.bundle import PYTHON, Bundle, ListedFile
from runners.bundles.pack import pack
from runners.failures import InfrastructureError

MAX_ARCHIVES = 2
"""Archives that a process makes at the same time: each is in memory, twice."""
_archives = BoundedSemaphore(MAX_ARCHIVES)


def is_data(path: str) -> bool:
    """Return whether a file is data, which is published apart from the code."""
    return not path.endswith(PYTHON)


def readable(version: BotVersion, user: object) -> list[ListedFile]:
    """Return the files that somebody may read, who may read the code; none of a single file."""
    if not version.source.bundle:
        return []
    files = sources.listing(version.source_id).files
    with_data = services.may_read_data(version, user)
    return [file for file in files if with_data or not is_data(file.path)]


def read(digest: str) -> bytes:
    """Return the content of a file that somebody may read."""
    try:
        return store.read(digest)
    except InfrastructureError as error:
        raise Refused("S003", status=503) from error


def archive(files: list[ListedFile]) -> bytes:
    """Return files as a zip, always the same bytes for the same files."""
    with _archives:
        return pack(Bundle({file.path: read(file.digest) for file in files}))

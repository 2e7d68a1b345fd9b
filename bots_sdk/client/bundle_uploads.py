"""Uploading a bundle: announce all files, send the contents that the league lacks, finish.

A league knows a file by its digest, so weights that did not change are not sent again. If the
connection breaks, the same files are announced again: the upload goes on where it stopped.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from time import sleep
from urllib.parse import quote

from bots_sdk.client.api import Client, ConnectionLost, NoLeague, Refused, Version, read_version
from runners.bundles.bundle import Bundle, ListedFile

PAUSES_SECONDS = 1.0, 2.0, 4.0, 8.0, 16.0, 32.0
"""Between attempts in which nothing got through; then it is given up. Together they are longer than
the minute after which a league answers again somebody who asked too often."""
BUSY = frozenset({429, 502, 503, 504})
"""What a league, or what stands before it, answers for a while."""
NOT_THERE = 404

Report = Callable[[int, int], None]
"""Told how many bytes have been sent, and how many there are to send."""


class TooOld(Exception):
    """The league knows no bundles."""


class _Counted(BytesIO):
    """A content that says how much of it has been read."""

    def __init__(self, data: bytes, report: Callable[[int], None]) -> None:
        super().__init__(data)
        self._report = report

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes."""
        data = super().read(size)
        self._report(self.tell())
        return data


class BundleUpload:
    """One bundle on its way to a bot."""

    def __init__(
        self,
        client: Client,
        bot: str,
        bundle: Bundle,
        note: str = "",
        *,
        report: Report = lambda _sent, _total: None,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        self._client = client
        self._bot = bot
        self._bundle = bundle
        self._note = note
        self._report = report
        self._pause = pause
        self._arrived: set[str] = set()
        """The digests of the contents that the league has confirmed."""

    def send(self) -> Version:
        """Send what the league lacks, and return the version, whose checks begin soon.

        `TooOld` if the league knows no bundles; `Refused` and `NoLeague` as everywhere.
        """
        failures = 0
        while True:
            arrived = len(self._arrived)
            try:
                return self._attempt()
            except (ConnectionLost, Refused) as error:
                if isinstance(error, Refused) and error.status not in BUSY:
                    raise
                failures = 0 if len(self._arrived) > arrived else failures
                if failures == len(PAUSES_SECONDS):
                    raise
                self._pause(PAUSES_SECONDS[failures])
                failures += 1

    def _attempt(self) -> Version:
        """Announce, send what is missing, and finish."""
        upload, missing = self._announce()
        contents = {file.digest: self._bundle.files[file.path] for file in self._files}
        total = sum(len(contents[digest]) for digest in missing)
        sent = 0
        self._report(sent, total)
        for digest in missing:
            data = contents[digest]
            body = _Counted(data, partial(self._report_part, sent, total))
            self._client.ask("PUT", f"{upload}/blobs/{digest}", body)
            self._arrived.add(digest)
            sent += len(data)
        self._report(total, total)
        return read_version(self._client.ask_object("POST", f"{upload}/finish"))

    def _announce(self) -> tuple[str, list[str]]:
        """Return the path of the upload, and the digests that are missing."""
        files = [
            {"path": file.path, "size": file.size, "digest": file.digest} for file in self._files
        ]
        path = f"bots/{quote(self._bot, safe='')}/uploads"
        try:
            answer = self._client.ask_object("POST", path, {"files": files, "note": self._note})
        except Refused as refusal:
            if refusal.status == NOT_THERE:
                raise TooOld from None
            raise
        missing = answer.get("missing")
        digests = [file.digest for file in self._files]
        if "id" not in answer or not isinstance(missing, list):
            raise NoLeague("The league's answer is not an upload.")
        if not all(digest in digests for digest in missing):
            raise NoLeague("The league asks for a file that it was not told of.")
        return f"uploads/{quote(str(answer['id']), safe='')}", missing

    def _report_part(self, before: int, total: int, sent: int) -> None:
        self._report(before + sent, total)

    @property
    def _files(self) -> tuple[ListedFile, ...]:
        return self._bundle.listing.files

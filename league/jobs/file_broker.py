"""Messages as files, for a league on one machine: kombu's transport with whole files only.

Kombu writes a message into the file that readers look for, so a reader may find half of it and
stop. Here a message gets its name when it is complete. Kombu looks for messages many times a
second; here the kernel tells when there is one.
"""

import logging
import os
import uuid
from pathlib import Path
from queue import Empty
from time import monotonic, sleep, time_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

from league.jobs.folder_watch import FolderWatch

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.02
"""How often a reader looks for messages if the kernel does not tell."""
MAX_WAIT_SECONDS = 60.0
"""After so long a reader looks anyway."""


class Channel(filesystem.Channel):
    """Writes messages in one piece."""

    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time_ns()}_{uuid.uuid4()}.{queue}.msg"
        partial = folder / f"{name}.partial"
        partial.write_text(dumps(payload))
        os.rename(partial, folder / name)


class Transport(filesystem.Transport):
    """Kombu's transport with the channel above, which waits for messages."""

    Channel = Channel

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self._watch: FolderWatch | None = None

    def drain_events(  # type: ignore[override]
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Deliver a message, or raise `TimeoutError` if none comes in time."""
        until = monotonic() + (MAX_WAIT_SECONDS if timeout is None else timeout)
        while True:
            try:
                assert self.cycle is not None
                self.cycle.get(self._deliver, timeout=timeout)
                return
            except Empty:
                seconds = until - monotonic()
            if seconds <= 0:
                if timeout is not None:
                    raise TimeoutError from None
                until = monotonic() + MAX_WAIT_SECONDS
                continue
            self._wait(connection, seconds)

    def _wait(self, connection: Any, seconds: float) -> None:
        """Wait for a message; look often where the kernel has no more watches to give."""
        if self._watch is None:
            folder = connection.client.transport_options["data_folder_in"]
            try:
                self._watch = FolderWatch(Path(folder))
            except OSError as error:
                log.debug("messages are looked for, because %s", error)
                sleep(min(seconds, LOOK_SECONDS))
            # A message may have come before the watch began.
            return
        self._watch.wait(seconds)

    def close_connection(self, connection: Any) -> None:
        """Close the watch with everything else."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        super().close_connection(connection)


TRANSPORT_ALIASES["karat-files"] = "league.jobs.file_broker:Transport"

"""Messages as files, for a league on one machine: kombu's transport with whole files only.

Kombu writes a message into the file that readers look for, so a reader may find half of it and
stop. Here a message gets its name when it is complete.
"""

import os
import uuid
from pathlib import Path
from time import time_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """Writes messages in one piece."""

    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time_ns()}_{uuid.uuid4()}.{queue}.msg"
        partial = folder / f"{name}.partial"
        partial.write_text(dumps(payload))
        os.rename(partial, folder / name)


class Transport(filesystem.Transport):
    """Kombu's transport with the channel above."""

    Channel = Channel


TRANSPORT_ALIASES["karat-files"] = "league.jobs.file_broker:Transport"

"""Long tasks beside the ticks of the control process: a command of manage.py in its own process.

One at a time, with a low priority, and ended with the control process.
"""

import os
import signal
import subprocess

from league.jobs.parent_process import end_with_parent
from league.operate.supervisor import manage


class Background:
    """At most one command that runs while the ticks go on."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def busy(self) -> bool:
        """Return whether a command is running."""
        return self._process is not None and self._process.poll() is None

    def start(self, *arguments: str) -> None:
        """Run a command of manage.py, unless one is running already."""
        if self.busy:
            return
        parent_pid = os.getpid()

        def prepare() -> None:
            os.nice(10)
            end_with_parent(signal.SIGTERM, parent_pid)

        self._process = subprocess.Popen(
            manage(*arguments),
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=prepare,  # noqa: PLW1509
        )


commands = Background()

"""Keeps the processes of a league on one machine running, and ends them together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from django.conf import settings

from league.jobs.parent_process import end_with_parent

PATIENCE_SECONDS = 15
"""How long children may take to finish their work."""
SHORT_LIFE_SECONDS = 5
MAX_SHORT_LIVES = 5


@dataclass(slots=True)
class Child:
    """A process that should always run."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    short_lives: int = 0

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it in a session of its own: Ctrl-C in a terminal reaches only its parent."""
        parent_pid = os.getpid()
        self.process = subprocess.Popen(
            self.command,
            env=environment,
            start_new_session=True,
            # No other thread runs here that a fork could catch in the middle of something.
            preexec_fn=lambda: end_with_parent(signal.SIGTERM, parent_pid),  # noqa: PLW1509
        )
        self.started_at = time.monotonic()


class Gone(Exception):
    """A child process does not stay alive."""


@dataclass(slots=True)
class Supervisor:
    """Starts children, starts them again if they end, and stops all of them."""

    children: list[Child]
    say: Callable[[str], None]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    _stopping: bool = False

    def run(self, every_second: Callable[[], None]) -> None:
        """Run until SIGINT or SIGTERM."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        try:
            for child in self.children:
                child.start(self.environment)
            while not self._stopping:
                time.sleep(1)
                self._revive()
                if not self._stopping:
                    every_second()
        finally:
            self._end()

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def _revive(self) -> None:
        for child in self.children:
            if self._stopping or child.process is None or child.process.poll() is None:
                continue
            lived = time.monotonic() - child.started_at
            child.short_lives = child.short_lives + 1 if lived < SHORT_LIFE_SECONDS else 0
            if child.short_lives >= MAX_SHORT_LIVES:
                raise Gone(f"{child.name} keeps ending; its last output is above.")
            self.say(
                f"{child.name} ended (exit status {child.process.returncode}) and is restarted"
            )
            child.start(self.environment)

    def _end(self) -> None:
        running = [c.process for c in self.children if c.process and c.process.poll() is None]
        for process in running:
            process.terminate()
        until = time.monotonic() + PATIENCE_SECONDS
        for process in running:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.say(f"process {process.pid} does not end and is killed")
            # What a child started in its session ends with it, even if it was killed itself.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def manage(*arguments: str) -> list[str]:
    """Return a command of manage.py with this very interpreter."""
    return [sys.executable, str(settings.ROOT / "manage.py"), *arguments]

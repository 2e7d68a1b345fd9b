"""A box from outside: start it and tell how it ended; `conversation` is how to talk to it.

Start boxes from the main thread: bubblewrap ends a box when the thread that started it ends.
"""

import os
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from time import monotonic

from runners.box.conversation import BoxReply, Conversation, gather
from runners.box.kernel import unix
from runners.box.kernel.memory_files import log_file
from runners.box.modes import Mode
from runners.box.policy import bundle_limits, resource_limits
from runners.box.processes import StillRunning, cpu_clock
from runners.box.stage import prepare_stage
from runners.box.start import start
from runners.box.verdict import Exit, post_mortem
from runners.box.walls import KilledFromOutside, Order
from runners.bundles.unpacked import UnpackedBundle
from runners.failures import Failure, InfrastructureError
from runners.limits import Limits
from runners.protocol import READY, Inbox, Json, MalformedReply

READY_SECONDS = 20.0
"""Only a broken machine takes this long; it is never a bot's fault."""
GONE_SECONDS = 1.0
"""How long a process that closed its connection may take to end, on a host that is not busy."""
MAX_GONE_SECONDS = 10.0
_CHUNK = 1 << 16


class Box(Conversation):
    """One interpreter behind walls, for one bot and one match."""

    def __init__(
        self,
        limits: Limits,
        mode: Mode | None = None,
        program: Sequence[str] | None = None,
        *,
        numpy: bool = False,
        bundle: UnpackedBundle | None = None,
    ) -> None:
        """Start it in this mode or the one in force, and do not wait.

        `program` replaces our own in tests of a broken box. `numpy`: its bot imports numpy, so a
        template that has it loaded saves time. `bundle`: the only one that this box can play.
        """
        unix.require_linux()
        self.limits = limits
        self.reply: BoxReply | None = None
        self.log_fd, box_log = log_file()
        self.wire, box_wire = socket.socketpair()
        self._inbox = Inbox(limits.reply_kib << 10)
        self._pid: int | None = None
        self._pid_fd = self._schedule_fd = -1
        self._delay_ns = 0
        self._idle_failure: Failure | None = None
        self._closed = False
        # Nobody evicts it from the cache as long as this value lives.
        self.bundle = bundle
        kernel = resource_limits(limits) | (bundle_limits(bundle.data_bytes) if bundle else {})
        try:
            fds = box_wire.fileno(), box_log
            words = [f"{name}={value}" for name, value in kernel.items()]
            order = Order(prepare_stage(), *fds, words, program, bundle=bundle, numpy=numpy)
            self._process = start(order, self.wire, mode)
        except BaseException:
            os.close(self.log_fd)
            self.wire.close()
            raise
        finally:
            box_wire.close()
            os.close(box_log)

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until the program in the box has set its filters; no bot is in yet."""
        if self._pid is not None:
            return
        deadline = monotonic() + seconds
        self._process.await_birth(deadline)
        message = self._receive_by(deadline)
        if message != READY:
            if message and "ready" in message:
                raise InfrastructureError(f"a box speaks another protocol: {message}")
            raise InfrastructureError(f"a box did not come up: {self._last_output()}")
        try:
            pid = self._process.pid()
            self._pid_fd = os.pidfd_open(pid)
            self._schedule_fd = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, ValueError, LookupError) as error:
            raise InfrastructureError(f"a box cannot be watched: {error}") from error
        self._pid = pid
        self._clock = cpu_clock(pid)
        self._cpu_mark = unix.clock_gettime(self._clock)
        self.start_cpu_ms = self._cpu_mark * 1000

    @property
    def bundle_folder(self) -> str | None:
        """Where the box sees its bundle; None without one."""
        return self._process.bundle_folder

    @property
    def pid(self) -> int:
        """The process with the bot in it; it is ready."""
        assert self._pid is not None
        return self._pid

    def _receive_by(self, deadline: float) -> Json | None:
        while select.select([self.wire], [], [], max(0.0, deadline - monotonic()))[0]:
            try:
                data = self.wire.recv(_CHUNK)
                message = self._inbox.add(data) if data else None
            except (OSError, MalformedReply):
                return None
            if message is not None or not data:
                return message
        return None

    def _last_output(self) -> str:
        output = os.pread(self.log_fd, 300, 0).decode("utf-8", "replace").strip()
        return output or self._process.last_words() or "it said nothing"

    def _cpu_used(self) -> float:
        """Return the ms since its last answer, also of a process that has ended."""
        if self._exited():
            now = self._final().cpu_seconds - self._process.keeper_seconds
        else:
            now = unix.clock_gettime(self._clock)
        return max(0.0, (now - self._cpu_mark) * 1000)

    def _exited(self, seconds: float = 0.0) -> bool:
        return bool(select.select([self._pid_fd], [], [], seconds)[0])

    def _final(self) -> Exit:
        """Return the account of a process that has ended: its clock ends with it."""
        try:
            return self._process.reap(MAX_GONE_SECONDS)
        except StillRunning as error:
            raise InfrastructureError("a box does not end") from error
        except OSError as error:
            raise InfrastructureError("somebody else waited for a box") from error

    def _lose_connection(self) -> None:
        """Find out why the connection ended: by the exit of the process, or while it still runs."""
        if not self._ends_soon():
            self._fail(Failure("E308", "The bot closed its connection."))
            return
        final = self._final()
        cpu_ms = self._cpu_used()
        try:
            ending = self._process.ending(final.status)
        except KilledFromOutside as error:
            raise InfrastructureError("a box was killed from outside") from error
        failure = post_mortem(
            ending,
            cpu_ms=cpu_ms,
            max_cpu_ms=self._cpu_ms,
            peak_mib=final.peak_mib,
            memory_mib=self.limits.memory_mib,
        )
        self.reply = self._make_reply(None, failure, cpu_ms)

    def _ends_soon(self) -> bool:
        """Return whether the process ends by itself, however long a busy host lets it wait."""
        started_at, delay = monotonic(), self._run_delay()
        while not self._exited(0.1):
            elapsed = monotonic() - started_at
            delay_seconds = (self._run_delay() - delay) / 1e9
            if elapsed > MAX_GONE_SECONDS or elapsed - delay_seconds > GONE_SECONDS:
                return False
        return True

    def log(self) -> bytes:
        """Return what the bot printed, up to the cap."""
        return os.pread(self.log_fd, self.limits.log_kib << 10, 0)

    def log_size(self) -> int:
        """Return how many bytes were printed; more than the cap means that the log was cut."""
        return os.lseek(self.log_fd, 0, os.SEEK_END)

    def kill(self) -> None:
        """End it now; safe to repeat."""
        if self._pid_fd >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pid_fd, signal.SIGKILL)
        else:
            self._process.kill()

    def close(self) -> None:
        """End it and give everything back."""
        if self._closed:
            return
        self._closed = True
        if self._pid is None:
            self._process.await_birth(monotonic() + READY_SECONDS)
        self.kill()
        self.wire.close()
        with suppress(OSError, LookupError):
            # Somebody else may have waited for it, or it never was.
            self._reap_for_good()
        self._process.close()
        for fd in (self._pid_fd, self._schedule_fd, self.log_fd):
            if fd >= 0:
                os.close(fd)

    def _reap_for_good(self) -> None:
        try:
            self._process.reap(MAX_GONE_SECONDS)
        except StillRunning:
            self._process.kill()
            self._process.reap(inf)


def start_cost(limits: Limits | None = None) -> float:
    """Measure the CPU ms that a box takes until it is ready."""
    box = Box(limits or Limits())
    try:
        box.wait_ready()
        return box.start_cpu_ms
    finally:
        box.close()


__all__ = ["Box", "BoxReply", "gather", "start_cost"]

"""A box from outside: start it, talk to it, watch its clocks and tell how it ended.

Start boxes from the main thread: bubblewrap ends a box when the thread that started it ends.
"""

import os
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic

from runners.box import unix
from runners.box.memory_files import log_file
from runners.box.modes import Mode
from runners.box.policy import resource_limits
from runners.box.processes import StillRunning, cpu_clock
from runners.box.stage import prepare_stage
from runners.box.start import start
from runners.box.verdict import Exit, post_mortem, too_slow
from runners.box.walls import KilledFromOutside, Order
from runners.failures import Failure, InfrastructureError
from runners.limits import Limits
from runners.protocol import Inbox, Json, MalformedReply, frame

READY_SECONDS = 20.0
"""Only a broken machine takes this long; it is never a bot's fault."""
GONE_SECONDS = 1.0
"""How long a process that closed its connection may take to end, on a host that is not busy."""
MAX_GONE_SECONDS = 10.0
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class BoxReply:
    """What came back for a message: an answer or a failure, and the time it took."""

    message: Json | None
    failure: Failure | None
    cpu_ms: float
    wall_ms: float
    delay_ms: float = 0.0
    """How long the bot was ready and no core was free; not part of `wall_ms`."""


class Box:
    """One interpreter behind walls, for one bot and one match."""

    def __init__(
        self,
        limits: Limits,
        mode: Mode | None = None,
        program: Sequence[str] | None = None,
        *,
        numpy: bool = False,
    ) -> None:
        """Start it in this mode or the one in force, and do not wait.

        `program` replaces our own in tests of a broken box. `numpy`: its bot imports numpy, so a
        template that has it loaded saves time.
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
        kernel = [f"{name}={value}" for name, value in resource_limits(limits).items()]
        try:
            order = Order(prepare_stage(), box_wire.fileno(), box_log, kernel, program)
            self._process = start(order, self.wire, mode, numpy=numpy)
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
        if message != {"ready": True}:
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

    def send(self, message: Json, cpu_ms: float, wall_ms: float) -> None:
        """Send a message, with the time its answer may take. Then `gather`."""
        self.reply = None
        self._cpu_ms, self._wall_ms = cpu_ms, wall_ms
        self._sent_at = monotonic()
        self._delay_mark = self._run_delay()
        if self._idle_failure:
            self._fail(self._idle_failure)
            return
        try:
            if not self._spoke_unasked():
                self._send_all(frame(message))
        except OSError:
            self._lose_connection()

    def _spoke_unasked(self) -> bool:
        try:
            data = self.wire.recv(1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        if data:
            self._fail(Failure("E309", "It sent bytes nobody asked for."))
        else:
            self._lose_connection()
        return True

    def _send_all(self, data: bytes) -> None:
        """Send all of it. A bot may take a large message slowly or never, within its limits."""
        while data and self.reply is None:
            try:
                data = data[self.wire.send(data, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                select.select([], [self.wire], [], self.patience() / 1000)

    def read(self) -> None:
        """Take what has come; `reply` is set once it is a whole answer or a failure."""
        try:
            data = self.wire.recv(_CHUNK, socket.MSG_DONTWAIT)
            if not data:
                self._lose_connection()
                return
            message = self._inbox.add(data)
        except BlockingIOError:
            return
        except MalformedReply as error:
            self._fail(Failure("E309", f"What came back was not one answer: {error}."))
            return
        except OSError:
            self._lose_connection()
            return
        if message is None:
            return
        cpu_ms = self._cpu_used()
        if cpu_ms > self._cpu_ms:
            self._fail(too_slow(f"{self._cpu_ms:.0f} ms of computing time"))
            return
        self._cpu_mark += cpu_ms / 1000
        self.reply = self._make_reply(message, None, cpu_ms)

    def limit_ms(self) -> float:
        """Return the shorter of the two limits of the message that was sent last."""
        return min(self._cpu_ms, self._wall_ms)

    def patience(self) -> float:
        """Return how many ms can pass before a limit can be reached; end the box when one is."""
        cpu_left = self._cpu_ms - self._cpu_used()
        wall_left = self._wall_ms - self._wall_used()
        if cpu_left <= 0:
            self._fail(too_slow(f"{self._cpu_ms:.0f} ms of computing time"))
        elif wall_left <= 0:
            self._fail(too_slow(f"{self._wall_ms / 1000:g} s"))
        return max(1.0, min(cpu_left, wall_left))

    def idle_patience(self) -> float:
        """Return how many ms a bot that nobody asks can go on computing.

        End the box when it has used what its next decision may take; it fails when it is asked.
        """
        if self._idle_failure or self._exited():
            return inf
        limit = self.limits.decision_cpu_ms
        cpu_left = limit - self._cpu_used()
        if cpu_left <= 0:
            used = f"more than {limit} ms of computing time while nobody asked it"
            self._idle_failure = Failure("E302", f"It used {used}.")
            self.kill()
            return inf
        return max(1.0, cpu_left)

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

    def _wall_used(self) -> float:
        """Return the ms since the question, without the time in which no core was free."""
        return max(0.0, (monotonic() - self._sent_at) * 1000 - self._delay_ms())

    def _delay_ms(self) -> float:
        return (self._run_delay() - self._delay_mark) / 1e6

    def _run_delay(self) -> int:
        """Return the ns in which it was ready and no core was free; of one that ended, the last."""
        with suppress(OSError, IndexError):
            self._delay_ns = int(os.pread(self._schedule_fd, 64, 0).split()[1])
        return self._delay_ns

    def _make_reply(self, message: Json | None, failure: Failure | None, cpu_ms: float) -> BoxReply:
        return BoxReply(message, failure, cpu_ms, self._wall_used(), self._delay_ms())

    def _fail(self, failure: Failure) -> None:
        self.reply = self._make_reply(None, failure, self._cpu_used())
        self.kill()

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
        return os.fstat(self.log_fd).st_size

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


def gather(boxes: Sequence[Box], idle: Sequence[Box] = ()) -> None:
    """Wait until every box has answered or failed; all of them think at the same time.

    Those that nobody asks now are watched: computing on the time of others is charged as well.
    """
    waiting = {box.wire.fileno(): box for box in boxes if box.reply is None}
    poll = select.poll()
    for fd in waiting:
        poll.register(fd, select.POLLIN)
    # No limit can be reached earlier than if all the time since the question was used.
    patience = min((box.limit_ms() for box in waiting.values()), default=0.0)
    while waiting:
        for fd, _ in poll.poll(patience):
            waiting[fd].read()
        # Only who has not answered is judged: an answer may have waited for us.
        patience = min((b.patience() for b in waiting.values() if b.reply is None), default=0.0)
        patience = min([patience, *(box.idle_patience() for box in idle)])
        for fd in [fd for fd, box in waiting.items() if box.reply]:
            poll.unregister(fd)
            del waiting[fd]


def start_cost(limits: Limits | None = None) -> float:
    """Measure the CPU ms that a box takes until it is ready."""
    box = Box(limits or Limits())
    try:
        box.wait_ready()
        return box.start_cpu_ms
    finally:
        box.close()


__all__ = ["Box", "BoxReply", "gather", "start_cost"]

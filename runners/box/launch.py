"""A box from outside: starts it, talks to it, watches its clocks and says how it ended.

Start boxes from the main thread: bubblewrap ends a box when the thread that started it ends.
"""

import json
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import clock_gettime, monotonic

from runners.box.policy import (
    DROP_USER,
    KARAT_HOME,
    PYTHON_FLAGS,
    PYTHON_HOME,
    NoWall,
    bwrap_arguments,
    resource_limits,
    this_machine,
)
from runners.box.seccomp import first_filter, second_filter
from runners.box.stage import staged
from runners.limits import Limits
from runners.protocol import Garbled, Inbox, Json, frame

READY_SECONDS = 20.0
"""Only a broken machine needs so long; it is never a bot's fault."""
GONE_SECONDS = 1.0
_CHUNK = 1 << 16
_SHOWN_STATUS = 128
_KILLED = _SHOWN_STATUS + signal.SIGKILL
_FORBIDDEN = _SHOWN_STATUS + signal.SIGSYS


class OurFailure(Exception):
    """Something of ours broke. It is never a bot's fault, and the match is played again."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What a bot did wrong: the code, one public sentence, and a traceback for its owner."""

    code: str
    detail: str
    traceback: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back for a message: an answer or a failure, and the time it took."""

    message: Json | None
    failure: Failure | None
    cpu_ms: float
    wall_ms: float


@cache
def _drop_to() -> tuple[int, int] | None:
    """The user and group a root controller becomes for a box."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(DROP_USER)
    except KeyError:
        raise NoWall(
            f"Boxes are not started as root. Make a user for them: "
            f"useradd --system --no-create-home --shell /usr/sbin/nologin {DROP_USER}"
        ) from None
    return entry.pw_uid, entry.pw_gid


@cache
def _bwrap() -> str:
    path = shutil.which("bwrap")
    if path is None:
        raise NoWall("Boxes need bubblewrap: apt-get install bubblewrap")
    return path


@cache
def _filters() -> tuple[bytes, str]:
    machine = this_machine()
    return first_filter(machine), second_filter(machine).hex()


class Box:
    """One bubblewrap with one interpreter in it, for one bot and one match."""

    def __init__(self, limits: Limits, program: Sequence[str] | None = None) -> None:
        """Start it and do not wait. `program` replaces our own in tests of a broken box."""
        self.limits = limits
        self.heard: Heard | None = None
        self.log_fd = os.memfd_create("log")
        self.wire, theirs = socket.socketpair()
        self._inbox = Inbox(limits.reply_kib << 10)
        self._status_fd, status = os.pipe()
        self._pid: int | None = None
        self._pid_fd = self._schedule_fd = -1
        self._closed = False
        try:
            self._process = self._spawn(theirs.fileno(), status, program)
        except BaseException:
            os.close(self._status_fd)
            os.close(self.log_fd)
            self.wire.close()
            raise
        finally:
            theirs.close()
            os.close(status)

    def _spawn(
        self, wire: int, status: int, program: Sequence[str] | None
    ) -> "subprocess.Popen[bytes]":
        stage = staged()
        first, second = _filters()
        kernel = [f"{name}={value}" for name, value in resource_limits(self.limits).items()]
        ours = [f"{KARAT_HOME}/inside.pyc", str(wire), second, *kernel]
        filter_fd, writing = os.pipe()
        os.write(writing, first)
        os.close(writing)
        arguments = bwrap_arguments(
            str(stage.python), str(stage.karat), seccomp_fd=filter_fd, status_fd=status
        )
        user, group = _drop_to() or (None, None)
        try:
            return subprocess.Popen(
                [*arguments, f"{PYTHON_HOME}/bin/python3", *PYTHON_FLAGS, *(program or ours)],
                executable=_bwrap(),
                stdin=subprocess.DEVNULL,
                stdout=self.log_fd,
                stderr=self.log_fd,
                pass_fds=(wire, filter_fd, status),
                cwd="/",
                env={},
                # A group of its own: until bubblewrap's child is ready to die with it, ending
                # bubblewrap alone would leave the child waiting for ever.
                start_new_session=True,
                user=user,
                group=group,
                extra_groups=[] if user is not None else None,
            )
        except OSError as error:
            raise OurFailure(f"bubblewrap cannot be started: {error.strerror}") from error
        finally:
            os.close(filter_fd)

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until the program in the box has closed its doors; no bot is in yet."""
        if self._pid is not None:
            return
        message = self._receive_by(monotonic() + seconds)
        if message != {"ready": True}:
            raise OurFailure(f"a box did not come up: {self._last_words()}")
        try:
            status = json.loads(os.read(self._status_fd, 4096).splitlines()[0])
            pid = int(status["child-pid"])
            self._pid_fd = os.pidfd_open(pid)
            self._schedule_fd = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, ValueError, LookupError) as error:
            raise OurFailure(f"a box cannot be watched: {error}") from error
        self._pid = pid
        self._clock = (~pid << 3) | 2
        self._cpu_mark = clock_gettime(self._clock)
        self.start_cpu_ms = self._cpu_mark * 1000

    def _receive_by(self, deadline: float) -> Json | None:
        while select.select([self.wire], [], [], max(0.0, deadline - monotonic()))[0]:
            try:
                data = self.wire.recv(_CHUNK)
                message = self._inbox.add(data) if data else None
            except (OSError, Garbled):
                return None
            if message is not None or not data:
                return message
        return None

    def _last_words(self) -> str:
        words = os.pread(self.log_fd, 300, 0).decode("utf-8", "replace").strip()
        return words or "it said nothing"

    def send(self, message: Json, cpu_ms: float, wall_ms: float) -> None:
        """Send a message whose answer may take so long. Then `gather`."""
        self.heard = None
        self._cpu_ms, self._wall_ms = cpu_ms, wall_ms
        self._sent_at = monotonic()
        self._delay_mark = self._run_delay()
        try:
            if self._spoke_unasked():
                return
            data = frame(message)
            sent = self.wire.send(data, socket.MSG_DONTWAIT)
            if sent < len(data):
                self._send_rest(data[sent:])
        except OSError:
            self._gone()

    def _spoke_unasked(self) -> bool:
        try:
            data = self.wire.recv(1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        if data:
            self._fail("E309", "It sent bytes nobody asked for.")
        else:
            self._gone()
        return True

    def _send_rest(self, data: bytes) -> None:
        """A large message that a bot takes slowly, or does not take."""
        try:
            self.wire.settimeout(self._wall_ms / 1000)
            self.wire.sendall(data)
            self.wire.settimeout(None)
        except TimeoutError:
            self._fail("E302", "It did not take the question.")

    def read(self) -> None:
        """Take what has come; `heard` is set once it is a whole answer or a failure."""
        try:
            data = self.wire.recv(_CHUNK, socket.MSG_DONTWAIT)
            if not data:
                self._gone()
                return
            message = self._inbox.add(data)
        except BlockingIOError:
            return
        except Garbled as garbled:
            self._fail("E309", f"What came back was not one answer: {garbled}.")
            return
        except OSError:
            self._gone()
            return
        if message is None:
            return
        cpu_ms = self._cpu_used()
        if cpu_ms > self._cpu_ms:
            self._too_slow(f"{self._cpu_ms:.0f} ms of computing time")
            return
        self._cpu_mark += cpu_ms / 1000
        self.heard = Heard(message, None, cpu_ms, self._wall_used())

    def limit_ms(self) -> float:
        """The shorter of the two limits of the message that was sent last."""
        return min(self._cpu_ms, self._wall_ms)

    def patience(self) -> float:
        """How many ms can pass before a limit can be reached; ends the box when one is."""
        cpu_left = self._cpu_ms - self._cpu_used()
        wall_left = self._wall_ms - self._wall_used()
        if cpu_left <= 0:
            self._too_slow(f"{self._cpu_ms:.0f} ms of computing time")
        elif wall_left <= 0:
            self._too_slow(f"{self._wall_ms / 1000:g} s")
        return max(1.0, min(cpu_left, wall_left))

    def _cpu_used(self) -> float:
        try:
            return (clock_gettime(self._clock) - self._cpu_mark) * 1000
        except OSError:
            return 0.0

    def _wall_used(self) -> float:
        """Ready but not scheduled is no thinking: a busy host makes nobody slow."""
        waited = (self._run_delay() - self._delay_mark) / 1e6
        return max(0.0, (monotonic() - self._sent_at) * 1000 - waited)

    def _run_delay(self) -> int:
        """Nanoseconds the process was ready and no core was free."""
        try:
            return int(os.pread(self._schedule_fd, 64, 0).split()[1])
        except (OSError, IndexError):
            return 0

    def _too_slow(self, limit: str) -> None:
        self._fail("E302", f"It did not answer within {limit}.")

    def _fail(self, code: str, detail: str) -> None:
        self.heard = Heard(None, Failure(code, detail), self._cpu_used(), self._wall_used())
        self.kill()

    def _gone(self) -> None:
        """The connection ended: by the exit of the process, or while it still runs."""
        cpu_ms = self._cpu_used()
        if not select.select([self._pid_fd], [], [], GONE_SECONDS)[0]:
            self._fail("E308", "The bot closed its connection.")
            return
        try:
            status = self._process.wait(GONE_SECONDS * 10)
        except subprocess.TimeoutExpired as error:
            raise OurFailure("bubblewrap does not end") from error
        failure = self._post_mortem(status, self._cpu_mark + cpu_ms / 1000)
        self.heard = Heard(None, failure, cpu_ms, self._wall_used())

    def _post_mortem(self, status: int, cpu_seconds: float) -> Failure:
        """What the exit status of bubblewrap says about its child; a kill from outside is ours."""
        allowed = resource_limits(self.limits)["RLIMIT_CPU"]
        if status == _KILLED and cpu_seconds > allowed - 1:
            return Failure("E302", f"It used more than {allowed} s of computing time.")
        if status == _KILLED or status < 0:
            raise OurFailure("a box was killed from outside")
        if status == _FORBIDDEN:
            return Failure("E307", "The bot made a system call that no bot may make.")
        if status > _SHOWN_STATUS:
            return Failure("E308", f"The process ended by signal {status - _SHOWN_STATUS}.")
        return Failure("E308", f"The process ended with exit status {status}.")

    def log(self) -> bytes:
        """What the bot printed, up to the cap."""
        return os.pread(self.log_fd, self.limits.log_kib << 10, 0)

    def log_size(self) -> int:
        """How much was printed; more than the cap means that it was cut."""
        return os.fstat(self.log_fd).st_size

    def kill(self) -> None:
        """End it now; safe to repeat."""
        if self._pid_fd >= 0:
            try:
                signal.pidfd_send_signal(self._pid_fd, signal.SIGKILL)
            except ProcessLookupError:
                return
        elif self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it and give everything back."""
        if self._closed:
            return
        self._closed = True
        self.kill()
        self.wire.close()
        try:
            self._process.wait(GONE_SECONDS * 10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for fd in (self._status_fd, self._pid_fd, self._schedule_fd, self.log_fd):
            if fd >= 0:
                os.close(fd)


def gather(boxes: Sequence[Box]) -> None:
    """Wait until every box has answered or failed; all of them think at the same time."""
    waiting = {box.wire.fileno(): box for box in boxes if box.heard is None}
    poll = select.poll()
    for fd in waiting:
        poll.register(fd, select.POLLIN)
    # No limit can be reached earlier than if all the time since the question was used.
    patience = min((box.limit_ms() for box in waiting.values()), default=0.0)
    while waiting:
        for fd, _ in poll.poll(patience):
            waiting[fd].read()
        # Only who has not answered is judged: an answer may have waited for us.
        patience = min((b.patience() for b in waiting.values() if b.heard is None), default=0.0)
        for fd in [fd for fd, box in waiting.items() if box.heard]:
            poll.unregister(fd)
            del waiting[fd]


def start_cost(limits: Limits | None = None) -> float:
    """CPU ms from the start of a box to its being ready, as a measurement."""
    box = Box(limits or Limits())
    try:
        box.wait_ready()
        return box.start_cpu_ms
    finally:
        box.close()

"""Talk to a box: send a question, take the answer, and watch the time that passes meanwhile.

A quick answer, and most are, costs the referee a look for bytes that nobody asked for, one call
that sends, one that receives and one that reads the clock of the process. Everything else is read
only when an answer takes so long that a limit could matter.
"""

import os
import select
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import NamedTuple

from runners.box.kernel import unix
from runners.box.verdict import too_slow
from runners.failures import Failure
from runners.limits import Limits
from runners.protocol import Inbox, Json, MalformedReply, frame_message

FIRST_LOOK_MS = 1.0
"""How a bot was scheduled is read only if it did not compute for longer than this."""
_TICK = struct.pack("@ll", 0, int(FIRST_LOOK_MS * 1000))
"""How long `recv` waits at first; the kernel rounds it up to a few of its ticks."""
_MIN_LIMIT_MS = 50.0
"""Under a shorter limit nobody waits for whole ticks of the kernel."""
_CHUNK = 1 << 13


class BoxReply(NamedTuple):
    """What came back for a message: an answer or a failure, and the time it took."""

    message: Json | None
    failure: Failure | None
    cpu_ms: float
    wall_ms: float
    delay_ms: float = 0.0
    """How long the bot was ready and no core was free; not part of `wall_ms`."""


class Conversation(ABC):
    """The referee's end of the connection to one box, one question at a time."""

    limits: Limits
    reply: BoxReply | None
    wire: socket.socket
    _inbox: Inbox
    _clock: int
    _cpu_mark: float
    _schedule_fd: int
    _delay_ns: int
    _idle_failure: Failure | None
    _cpu_ms: float
    _wall_ms: float
    _sent_at: float
    _delay_mark: "tuple[float, int] | None" = None
    """The delay since the question in ms, and the ns that the kernel had counted then."""
    idle_check_at = 0.0
    """Before this no bot can have used up what its next decision may take."""
    _unasked: "select.poll | None" = None
    """Sees bytes that nobody asked for, and the end of the connection."""

    @abstractmethod
    def kill(self) -> None:
        """End it now; safe to repeat."""

    @abstractmethod
    def _exited(self, seconds: float = 0.0) -> bool:
        """Return whether the process has ended."""

    @abstractmethod
    def _cpu_used(self) -> float:
        """Return the ms since its last answer, also of a process that has ended."""

    @abstractmethod
    def _lose_connection(self) -> None:
        """Find out why the connection ended."""

    def send(self, message: Json, cpu_ms: float, wall_ms: float) -> None:
        """Send a message, with the time its answer may take. Then `gather`."""
        self.send_frame(frame_message(message), cpu_ms, wall_ms)

    def send_frame(self, data: bytes, cpu_ms: float, wall_ms: float) -> None:
        """Send a message that is bytes already."""
        self.reply = None
        self._cpu_ms, self._wall_ms = cpu_ms, wall_ms
        self._delay_mark = None
        self._sent_at = monotonic()
        if self._idle_failure:
            self._fail(self._idle_failure)
            return
        try:
            if not self._spoke_unasked():
                self._send_all(data)
        except OSError:
            self._lose_connection()

    def _spoke_unasked(self) -> bool:
        if not (self._unasked or self._begin()).poll(0):
            return False
        if self.wire.recv(1, socket.MSG_DONTWAIT):
            self._fail(Failure("E309", "It sent bytes nobody asked for."))
        else:
            self._lose_connection()
        return True

    def _begin(self) -> "select.poll":
        """Get ready for the first question."""
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TICK)
        self._run_delay()
        self._unasked = select.poll()
        self._unasked.register(self.wire, select.POLLIN)
        return self._unasked

    def _send_all(self, data: bytes) -> None:
        """Send all of it. A bot may take a large message slowly or never, within its limits."""
        while data and self.reply is None:
            try:
                data = data[self.wire.send(data, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                patience = self.patience()
                if self.reply is None:
                    select.select([], [self.wire], [], patience / 1000)

    def read(self, wait: bool = False) -> None:
        """Take what has come; `reply` is set once it is a whole answer or a failure.

        `wait` a moment for it, by the ticks of the kernel.
        """
        try:
            data = self.wire.recv(_CHUNK, 0 if wait else socket.MSG_DONTWAIT)
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
        now = monotonic()
        elapsed_ms = (now - self._sent_at) * 1000
        cpu_ms = self._cpu_at_answer(elapsed_ms)
        if cpu_ms > self._cpu_ms:
            self._fail(too_slow(f"{self._cpu_ms:.0f} ms of computing time"))
            return
        self._cpu_mark += cpu_ms / 1000
        self.idle_check_at = now + self.limits.decision_cpu_ms / 1000
        self.reply = self._make_reply(message, None, cpu_ms, elapsed_ms)

    def _cpu_at_answer(self, elapsed_ms: float) -> float:
        """Return the ms since its last answer, for a process that has just answered.

        Nobody can have got its number so soon, so a clock that answers is its own.
        """
        if elapsed_ms >= _MIN_LIMIT_MS:
            return self._cpu_used()
        try:
            return max(0.0, (unix.clock_gettime(self._clock) - self._cpu_mark) * 1000)
        except OSError:
            return self._cpu_used()

    def takes_ticks(self) -> bool:
        """Return whether its limits leave time to wait by the ticks of the kernel."""
        return self._cpu_ms > _MIN_LIMIT_MS and self._wall_ms > _MIN_LIMIT_MS

    def patience(self) -> float:
        """Return how many ms can pass before a limit can be reached; end the box when one is."""
        elapsed_ms = (monotonic() - self._sent_at) * 1000
        if elapsed_ms < FIRST_LOOK_MS:
            return FIRST_LOOK_MS
        cpu_ms = self._cpu_used()
        delay_ms = self._delay_ms(elapsed_ms, cpu_ms)
        self._delay_mark = delay_ms, self._run_delay()
        cpu_left = self._cpu_ms - cpu_ms
        wall_left = self._wall_ms - (elapsed_ms - delay_ms)
        if cpu_left <= 0:
            self._fail(too_slow(f"{self._cpu_ms:.0f} ms of computing time"))
        elif wall_left <= 0:
            self._fail(too_slow(f"{self._wall_ms / 1000:g} s"))
        return max(1.0, min(cpu_left, wall_left))

    def idle_patience(self) -> float:
        """Return how many ms a bot that nobody asks can go on computing.

        End the box when it has used what its next decision may take; it fails when it is asked. No
        bot computes for longer than time has passed, so its clock is read only when it could have.
        """
        now = monotonic()
        if now < self.idle_check_at:
            return (self.idle_check_at - now) * 1000
        if self._idle_failure or self._exited():
            return inf
        limit = self.limits.decision_cpu_ms
        cpu_left = limit - self._cpu_used()
        if cpu_left <= 0:
            used = f"more than {limit} ms of computing time while nobody asked it"
            self._idle_failure = Failure("E302", f"It used {used}.")
            self.kill()
            return inf
        patience = max(1.0, cpu_left)
        self.idle_check_at = now + patience / 1000
        return patience

    def _delay_ms(self, elapsed_ms: float, cpu_ms: float) -> float:
        """Return how long it was ready and no core was free since the question.

        Without a mark it is not known what the kernel had counted at the question. The delay is no
        more than what was counted since the last time somebody read it, and no more than the time
        in which the bot did not compute; of that, a moment is never excused.
        """
        if self._delay_mark is not None:
            delay_ms, mark = self._delay_mark
            return delay_ms + (self._run_delay() - mark) / 1e6
        resting_ms = elapsed_ms - cpu_ms - FIRST_LOOK_MS
        if resting_ms <= 0:
            return 0.0
        mark = self._delay_ns
        return min(resting_ms, (self._run_delay() - mark) / 1e6)

    def _run_delay(self) -> int:
        """Return the ns in which it was ready and no core was free; of one that ended, the last."""
        with suppress(OSError, IndexError):
            self._delay_ns = int(os.pread(self._schedule_fd, 64, 0).split()[1])
        return self._delay_ns

    def _make_reply(
        self,
        message: Json | None,
        failure: Failure | None,
        cpu_ms: float,
        elapsed_ms: float | None = None,
    ) -> BoxReply:
        if elapsed_ms is None:
            elapsed_ms = (monotonic() - self._sent_at) * 1000
        delay_ms = self._delay_ms(elapsed_ms, cpu_ms)
        return BoxReply(message, failure, cpu_ms, max(0.0, elapsed_ms - delay_ms), delay_ms)

    def _fail(self, failure: Failure) -> None:
        self.reply = self._make_reply(None, failure, self._cpu_used())
        self.kill()


def gather(boxes: Sequence[Conversation], idle: Sequence[Conversation] = ()) -> None:
    """Wait until every box has answered or failed; all of them think at the same time.

    Those that nobody asks now are watched: computing on the time of others is charged as well.
    """
    for box in boxes:
        if box.reply is None:
            if not box.takes_ticks():
                break
            box.read(wait=True)
            if box.reply is None:
                break
    waiting = [box for box in boxes if box.reply is None]
    if waiting:
        _wait(waiting, idle)
    now = monotonic()
    for box in idle:
        if now >= box.idle_check_at:
            box.idle_patience()


def _wait(boxes: Sequence[Conversation], idle: Sequence[Conversation]) -> None:
    """Wait for those that take their time, in the order in which they answer."""
    waiting = {box.wire.fileno(): box for box in boxes}
    poll = select.poll()
    for fd in waiting:
        poll.register(fd, select.POLLIN)
    patience = 0.0
    while True:
        for fd, _ in poll.poll(patience):
            waiting[fd].read()
        # Only who has not answered is judged: an answer may have waited for us.
        patience = min((b.patience() for b in waiting.values() if b.reply is None), default=0.0)
        for fd in [fd for fd, box in waiting.items() if box.reply]:
            poll.unregister(fd)
            del waiting[fd]
        if not waiting:
            return
        patience = min([patience, *(box.idle_patience() for box in idle)])

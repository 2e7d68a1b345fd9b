"""A watchdog for bots that run in this process: it cuts off a call that takes too long.

A thread counts ticks while a bot is called. A process that was stopped does not tick, and what a
busy machine lets a bot wait for a core is excused, as in a league. To cut a call off, an exception
is raised inside it: by a signal where there are signals for the main thread, which also ends a
sleep, and otherwise by the interpreter before its next instruction. A bot can catch that, so
`end_process_on_defiance` is there for commands; libraries never end the process they run in.
"""

import ctypes
import faulthandler
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread, enumerate as enumerate_threads, get_ident, main_thread
from types import FrameType, TracebackType
from typing import NamedTuple

from runners.limits import BUSY_FACTOR

TICK_SECONDS = 0.1
GRACE_SECONDS = 1.0
"""How long a call that was cut off may take to end."""
LAST_RESORT_SECONDS = 20.0
"""After this long without any tick the process ends: something holds the interpreter itself."""
_STDERR = 2
_DEBUGGERS = ("bdb", "pdb", "pydevd", "_pydevd", "debugpy")


class CutOff(BaseException):
    """Raised inside a bot that takes too long. It is no `Exception`, so few bots catch it."""


class _Use(NamedTuple):
    """What a thread has used since it began, as the kernel counts."""

    cpu_seconds: float
    delay_seconds: float
    """How long it was ready while no core was free."""


class Guard:
    """A limit for calls of a bot, one after the other: each is a `with` block.

    Only the innermost block is watched. Entering one costs less than a microsecond, as every
    decision of a match does it; so the thread is started by whoever makes guards.
    """

    __slots__ = (
        *("_bite", "_mark", "_outer", "_use"),
        *("cpu_seconds", "cut_off", "seconds", "thread_id", "ticks"),
    )

    def __init__(self, seconds: float, cpu_seconds: float) -> None:
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self.ticks = 0
        self.cut_off = False
        """Whether the last call was told to end; what it answered afterwards does not count."""
        self.thread_id = 0
        self._outer: Guard | None = None
        self._mark = self._use = _Use(0.0, 0.0)
        self._bite: int | None = None
        """The tick at which it was first told to end."""

    def __enter__(self) -> None:
        self.ticks = 0
        self.cut_off = False
        self.thread_id = get_ident()
        self._outer = _watch.guard
        _watch.guard = self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _watch.guard = self._outer
        if self.cut_off:
            _raise_in_thread(self.thread_id, None)

    def count_tick(self) -> None:
        """Count one more tick of the running call, and what its thread has used."""
        self._use = _use_of(self.thread_id)
        if self.ticks == 0:
            self._mark = self._use
            self._bite = None
        self.ticks += 1

    def overdue_seconds(self) -> float:
        """Return how long the call has been over its limit; negative as long as it is not.

        Waiting for a core is excused until it has clearly used too much computing time.
        """
        # The first tick comes at any time after the start.
        over = (self.ticks - 1) * TICK_SECONDS - self.seconds
        if self._use.cpu_seconds - self._mark.cpu_seconds >= BUSY_FACTOR * self.cpu_seconds:
            return over
        return over - (self._use.delay_seconds - self._mark.delay_seconds)

    def defiant_seconds(self) -> float:
        """Return how long the call has gone on after it was first told to end: from now on."""
        if self._bite is None:
            self._bite = self.ticks
        return (self.ticks - self._bite) * TICK_SECONDS


class _Watch:
    """The thread that counts, and the guard of the running call."""

    def __init__(self) -> None:
        self.guard: Guard | None = None
        self._end: Callable[[FrameType | None], None] | None = None
        self._end_lock = Lock()
        self._thread: Thread | None = None
        self._has_signal = False

    def start(self) -> None:
        """Start the thread, unless it runs: a fork has none."""
        if self._thread is None or not self._thread.is_alive():
            self._has_signal = self._has_signal or _install_signal(self._on_signal)
            self._thread = Thread(target=self._count, name="karat watchdog", daemon=True)
            self._thread.start()

    def _count(self) -> None:
        tick_count = 0
        pause = Event()
        while True:
            if tick_count % 10 == 0:
                self._put_off_last_resort()
            pause.wait(TICK_SECONDS)
            tick_count += 1
            if guard := self.guard:
                guard.count_tick()
                if guard.overdue_seconds() >= 0:
                    self._bite(guard)

    def change_end(self, end: Callable[[FrameType | None], None] | None) -> None:
        """Say what ends this process; None if nothing may."""
        with self._end_lock:
            self._end = end
            if end is None:
                faulthandler.cancel_dump_traceback_later()

    def _put_off_last_resort(self) -> None:
        with self._end_lock:
            if self._end:
                faulthandler.dump_traceback_later(LAST_RESORT_SECONDS, exit=True, file=_STDERR)

    def _bite(self, guard: Guard) -> None:
        """Cut the call off, unless its author is looking at it with a debugger."""
        frame = sys._current_frames().get(guard.thread_id)
        if _in_debugger(frame):
            guard.ticks = 0
            return
        if guard.defiant_seconds() >= GRACE_SECONDS and self._end:
            self._end(frame)
        if self._has_signal and guard.thread_id == main_thread().ident:
            signal.pthread_kill(guard.thread_id, signal.SIGURG)
        else:
            guard.cut_off = True
            _raise_in_thread(guard.thread_id, CutOff)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        guard = self.guard
        if guard and guard.overdue_seconds() >= 0:
            guard.cut_off = True
            raise CutOff


def _use_of(thread_id: int) -> _Use:
    """Return what a thread has used; nothing where the kernel does not say."""
    native_ids = [one.native_id for one in enumerate_threads() if one.ident == thread_id]
    try:
        path = Path(f"/proc/self/task/{native_ids[0]}/schedstat")
        cpu_ns, delay_ns, *_ = map(int, path.read_text(encoding="ascii").split())
    except (OSError, IndexError, ValueError):
        return _Use(0.0, 0.0)
    return _Use(cpu_ns / 1e9, delay_ns / 1e9)


def _install_signal(handler: Callable[[int, FrameType | None], None]) -> bool:
    """Set the handler if this is possible here; SIGURG is ignored by all who do not ask for it."""
    if not hasattr(signal, "SIGURG") or get_ident() != main_thread().ident:
        return False
    if signal.getsignal(signal.SIGURG) is not signal.SIG_DFL:
        return False
    signal.signal(signal.SIGURG, handler)
    return True


def _raise_in_thread(thread_id: int, error: type[BaseException] | None) -> None:
    """Raise the error in a thread before its next instruction; None takes back what is due."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), what)


def _in_debugger(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _DEBUGGERS:
            return True
        frame = frame.f_back
    return False


_watch = _Watch()


def start() -> None:
    """Let guards be watched from now on."""
    _watch.start()


@contextmanager
def end_process_on_defiance(end: Callable[[FrameType | None], None]) -> Iterator[None]:
    """Let `end` end this process when a bot in the block goes on although it was cut off.

    It is called in a thread of its own with the frame of the bot. What holds the interpreter, so
    that no thread runs, ends the process too, with the traceback that Python itself prints.
    """
    _watch.change_end(end)
    try:
        yield
    finally:
        _watch.change_end(None)

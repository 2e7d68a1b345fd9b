"""How a box ended, by the kernel's own account, and what that says about its bot.

What a bot did wrong is a `Failure`. Whatever the account does not explain is `InfrastructureError`.
"""

import os
import re
import select
import signal
from dataclasses import dataclass
from pathlib import Path

from runners.failures import Failure, InfrastructureError

_UNCAUGHT = 1
"""Exit status of an interpreter that could not even report its last exception."""
FULL_SHARE = 0.7
"""Libraries take a share of the address space without ever touching it."""


@dataclass(frozen=True, slots=True)
class Exit:
    """The end of a process: its status, and what it and those it waited for used in all."""

    status: int
    """Negative for a signal."""
    cpu_seconds: float
    peak_mib: float
    """Of memory in use; 0 if nobody can tell."""


class StillRunning(Exception):
    """A process did not end within the time it was given."""


def reap(pid: int, seconds: float) -> Exit:
    """Wait for a child and return its account, which is lost if anybody else waits for it."""
    pid_fd = os.pidfd_open(pid)
    try:
        if not select.select([pid_fd], [], [], seconds)[0]:
            raise StillRunning
    finally:
        os.close(pid_fd)
    _, status, usage = os.wait4(pid, 0)
    cpu_seconds = usage.ru_utime + usage.ru_stime
    return Exit(os.waitstatus_to_exitcode(status), cpu_seconds, usage.ru_maxrss / 1024)


def beyond_own_peak(peak_mib: float) -> float:
    """Return the peak of a program that this process started; 0 if it may be our own.

    A program begins with the peak of the one that started it: only what exceeds ours is its own.
    """
    return peak_mib if peak_mib * 1024 > _own_peak_kib() else 0.0


def _own_peak_kib() -> int:
    """Return the most memory this program had; rusage would count who started it as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    peak = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(peak[1]) if peak else 0


def post_mortem(
    ending: int, *, cpu_ms: float, max_cpu_ms: float, peak_mib: float, memory_mib: int
) -> Failure:
    """Return what a bot is blamed for, by the status it ended with and its use since it answered.

    SIGKILL names no sender. A bot cannot send it and no limit of the kernel is within its reach, so
    it came from outside; that a bot had overrun its time before is its own fault all the same.
    """
    if ending == -signal.SIGKILL:
        if cpu_ms > max_cpu_ms:
            return too_slow(f"{max_cpu_ms:.0f} ms of computing time")
        raise InfrastructureError("a box was killed from outside")
    if ending == -signal.SIGSYS:
        return Failure("E307", "The bot made a system call that no bot may make.")
    short_of_memory = peak_mib > FULL_SHARE * memory_mib
    # How a process ends that cannot go on without more memory: no stack, or a library gave up.
    no_memory = {_UNCAUGHT, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}
    if short_of_memory and ending in no_memory:
        return Failure("E304", f"It ended when {peak_mib:.0f} of {memory_mib} MiB were in use.")
    if ending < 0:
        return Failure("E308", f"The process ended by signal {-ending}.")
    return Failure("E308", f"The process ended with exit status {ending}.")


def too_slow(limit: str) -> Failure:
    """Return the failure of a bot that used up this limit."""
    return Failure("E302", f"It did not answer within {limit}.")

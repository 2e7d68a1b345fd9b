"""Ending a process with its parent, however that ends."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent(by: signal.Signals, parent_pid: int | None = None) -> None:
    """Let the kernel send this signal to this process when its parent is gone.

    `parent_pid` is the process id that the parent itself had: a parent that died before the kernel
    was asked would otherwise be missed.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)
    if parent_pid is not None and os.getppid() != parent_pid:
        os.kill(os.getpid(), by)

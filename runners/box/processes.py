"""The process that has the bot in it: started by a command, or a fork of a template.

A box (`launch`) treats both alike: it learns which process it is once that is ready, ends it by
`kill`, and gets its account from `reap`.
"""

import os
import select
import signal
import socket
import struct
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Protocol

from runners.box import template, walls as box_walls
from runners.box.kernel import unix
from runners.box.kernel.memory_files import memory_file
from runners.box.policy import BUNDLE_HOME
from runners.box.verdict import Exit, StillRunning, beyond_own_peak, reap
from runners.box.walls import Order, Walls

_CREDENTIALS = struct.Struct("=iii")
"""How the kernel names a sender: its process, its user, its group."""
_LAST_MOMENT_SECONDS = 1.0


class BoxProcess(Protocol):
    """One process, and whoever keeps it."""

    keeper_seconds: float
    """The computing time in the account at the end that is not the bot's."""
    bundle_folder: str | None
    """Where the box sees its bundle; None without one."""

    def await_birth(self, deadline: float) -> None:
        """Wait until the process exists, as far as that can be told before it is ready."""

    def last_words(self) -> str:
        """Return why there is no process; nothing if there is one, or nobody knows."""

    def pid(self) -> int:
        """Return the number of the process; it is ready."""

    def reap(self, seconds: float) -> Exit:
        """Wait for its end and return the account of the kernel; repeatable."""

    def ending(self, status: int) -> int:
        """Return the exit status of that process, negative for a signal."""

    def kill(self) -> None:
        """End it, ready or not."""

    def close(self) -> None:
        """Give back what belongs to it; it has ended."""


class Command:
    """A process that a command starts behind the walls of its mode."""

    def __init__(self, walls: Walls, order: Order) -> None:
        self._walls = walls
        self.bundle_folder = walls.bundle_folder(order.bundle) if order.bundle else None
        self.keeper_seconds = 0.0
        self._exit: Exit | None = None
        # No pipe: bubblewrap would be ended by writing to a controller that is gone, before it lets
        # its child go on, and the child would wait for ever.
        self._status_fd = memory_file("status")
        try:
            with walls.command(replace(order, status=self._status_fd)) as walled:
                command = walled.as_user(box_walls.drop_to())
                self._process = command.start(order.log)
        except BaseException:
            os.close(self._status_fd)
            raise

    def await_birth(self, deadline: float) -> None:
        """Do nothing: it was started."""

    def last_words(self) -> str:
        """Return nothing: what goes wrong with a command stands in the log of the box."""
        return ""

    def pid(self) -> int:
        """Return the process behind the walls; who keeps it has done its work by then."""
        keeper = self._process.pid
        pid = self._walls.pid(keeper, self._status_fd)
        # It stands in the same account at the end.
        self.keeper_seconds = 0.0 if keeper == pid else unix.clock_gettime(cpu_clock(keeper))
        return pid

    def reap(self, seconds: float) -> Exit:
        """Wait for whoever was started: its account has the other one's in it."""
        if self._exit is None:
            ended = reap(self._process.pid, seconds)
            self._process.returncode = ended.status
            self._exit = replace(ended, peak_mib=beyond_own_peak(ended.peak_mib))
        return self._exit

    def ending(self, status: int) -> int:
        """Read it as the walls show it."""
        return self._walls.ending(status)

    def kill(self) -> None:
        """End the whole group.

        Not `poll`: a bubblewrap that is gone may have left its child, whose group still is ours as
        long as nobody asked how bubblewrap ended.
        """
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the file of bubblewrap."""
        os.close(self._status_fd)


class Fork:
    """A fork of a template. It is a child of this process, and nobody keeps it."""

    keeper_seconds = 0.0

    def __init__(self, order: Order, wire: socket.socket) -> None:
        self._wire = wire
        self.bundle_folder = BUNDLE_HOME if order.bundle else None
        self._pid: int | None = None
        self._exit: Exit | None = None
        self._stillborn = False
        # The kernel itself says which process sends the first byte.
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._template = template.fork(order)

    def await_birth(self, deadline: float) -> None:
        """Wait for the first byte. A template that cannot bring it about is ended.

        It has ended anyway, hangs, or cannot be forked. Nothing is born later, when nobody would
        know of it, and the next box is told that its template is gone.
        """
        if self._pid is not None or self._stillborn:
            return
        self._read_birth(max(0.0, deadline - monotonic()))
        if self._pid is None:
            self._template.end()
            # It may have been forked at the last moment.
            self._read_birth(_LAST_MOMENT_SECONDS)
            self._stillborn = self._pid is None

    def _read_birth(self, seconds: float) -> None:
        if not select.select([self._wire], [], [], seconds)[0]:
            return
        data, ancillary, _, _ = self._wire.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size))
        if data:
            [(_, _, credentials)] = ancillary
            self._pid, _, _ = _CREDENTIALS.unpack(credentials)
            self._wire.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)

    def last_words(self) -> str:
        """Return what the template printed if it brought nothing about."""
        return self._template.last_words() if self._stillborn else ""

    def pid(self) -> int:
        """Return the process that was born."""
        if self._pid is None:
            raise LookupError("the fork of a template was never born")
        return self._pid

    def reap(self, seconds: float) -> Exit:
        """Wait for it."""
        if self._exit is None:
            self._exit = reap(self.pid(), seconds)
        return self._exit

    def ending(self, status: int) -> int:
        """Return what the kernel says."""
        return status

    def kill(self) -> None:
        """End it. It is ours until it is reaped, so its number cannot be another's."""
        if self._pid is not None and self._exit is None:
            os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        """Do nothing: there is nothing but the process."""


def cpu_clock(pid: int) -> int:
    """Return the clock of the kernel that counts the computing time of another process."""
    return (~pid << 3) | 2


__all__ = ["BoxProcess", "Command", "Fork", "StillRunning", "cpu_clock"]

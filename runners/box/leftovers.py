"""What controllers that are gone left on the machine: folders nobody uses, half-started boxes."""

import os
import re
import shutil
import signal
import time
from pathlib import Path

from runners.box.kernel import unix

MAX_UNUSED_DAYS = 7
"""Folders stay this long after their last use: who goes back to older code finds them again."""
GROWING, GOING = ".growing", ".going"
_STAGED = re.compile(r"(?:python|karat)-[0-9a-f]{16}(\.growing|\.going)?")
"""Nothing else is touched: the home may be a folder that its owner has for other things too."""


def hold(folder: Path) -> int:
    """Mark the folder as in use until this process ends; the descriptor holds the lock."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    unix.fcntl.flock(fd, unix.fcntl.LOCK_SH)
    os.utime(fd)
    return fd


def remove_stale(home: Path, days: float = MAX_UNUSED_DAYS) -> None:
    """Remove the staged folders that nobody holds and nobody used for days. Lock the home first."""
    for folder in home.iterdir():
        name = _STAGED.fullmatch(folder.name)
        if name and name[1]:
            remove(folder)
        elif name and time.time() - folder.stat().st_mtime > days * 86400:
            _remove_unless_held(folder)


def _remove_unless_held(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        unix.fcntl.flock(fd, unix.fcntl.LOCK_EX | unix.fcntl.LOCK_NB)
        # Another name first: what is left of an interrupted removal must not pass for a folder.
        remove(folder.rename(folder.with_name(f"{folder.name}{GOING}")))
    except BlockingIOError:
        pass
    finally:
        os.close(fd)


def remove(folder: Path) -> None:
    """Remove a sealed folder: its owner first needs to be allowed to."""
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o700)
    shutil.rmtree(folder)


def end_orphans(home: Path) -> None:
    """End boxes of ours whose bubblewrap was killed before it let them begin.

    A controller that is killed takes its bubblewraps along. One that has just made its child, but
    not yet told it to go on, leaves it waiting for ever: rare, and no bot is in it, but a process.
    """
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if _is_orphan(process, home):
                _end(process, home)
        except (OSError, ValueError):
            # It has ended by itself, or belongs to somebody else.
            continue


def _is_orphan(process: Path, home: Path) -> bool:
    """Return whether it is a bubblewrap of ours, process 1 of a box, without one as its parent."""
    if (process / "comm").read_text() != "bwrap\n":
        return False
    lines = (process / "status").read_text().splitlines()
    facts = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    parent = Path("/proc") / facts["PPid"]
    return (
        facts["NSpid"].split()[1:] == ["1"]
        and f"\0{home}/".encode() in (process / "cmdline").read_bytes()
        and not (parent.exists() and (parent / "comm").read_text() == "bwrap\n")
    )


def _end(process: Path, home: Path) -> None:
    fd = os.pidfd_open(int(process.name))
    try:
        # The number may have been given to another process since it was looked at.
        if _is_orphan(process, home):
            signal.pidfd_send_signal(fd, signal.SIGKILL)
    finally:
        os.close(fd)

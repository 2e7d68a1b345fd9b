"""Files that exist in memory only: what a bot prints, and what bubblewrap tells about itself."""

import errno
import os

from runners.box.policy import NoWall

_NOEXEC_SEAL = 0x8
"""MFD_NOEXEC_SEAL, of Linux 6.3 and later; `os` does not name it in every Python."""


def memory_file(name: str) -> int:
    """Return the descriptor of a new one; where the kernel can, it is sealed as no program."""
    try:
        return os.memfd_create(name, os.MFD_CLOEXEC | _NOEXEC_SEAL)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return os.memfd_create(name)


def log_file() -> tuple[int, int]:
    """Return two descriptors of one new file: ours, and one to give away.

    The other one can neither be read nor mapped, and whatever is written to it comes after all that
    was written before. Nobody may open the file once more: Landlock does not govern files without a
    place in a file system.
    """
    own_fd = memory_file("log")
    try:
        box_fd = os.open(f"/proc/self/fd/{own_fd}", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        os.fchmod(own_fd, 0)
    except FileNotFoundError as error:
        os.close(own_fd)
        raise NoWall("Boxes need /proc, which is not there: mount -t proc proc /proc") from error
    except BaseException:
        os.close(own_fd)
        raise
    return own_fd, box_fd

"""The walls a box puts up itself, before it reads its bot."""

import posix

from .system import function, prctl, require, syscall

PR_SET_PDEATHSIG, SIGKILL = 1, 9
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_RESTRICT_SELF = 446
NO_RULESET = -1
NO_CAPABILITIES = (0x20080522).to_bytes(4, "little") + bytes(4), bytes(24)
"""What `capset` takes: its version and "myself", then nothing effective, permitted, inheritable."""
BYTES_HEADER = bytes.__basicsize__ - 1

# Looked up now: a template does it once for all its forks.
capset = function("capset")


def end_with_parent() -> None:
    """Have the kernel end this process when the referee's thread that started it ends."""
    require(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG")


def end_with(parent: int) -> None:
    """End with the referee, and at once if it is gone already."""
    end_with_parent()
    if posix.getppid() != parent:
        # The referee ended before the kernel knew that we end with it.
        posix._exit(3)


def give_up_new_privileges() -> None:
    """Make sure that no program started from here could have more rights."""
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")


def restrict(ruleset: int, flags: int) -> None:
    """Lose for ever what a ruleset of Landlock does not allow. Needs no new privileges."""
    if ruleset == NO_RULESET:
        return
    require(syscall(LANDLOCK_RESTRICT_SELF, ruleset, flags), "landlock_restrict_self")


def drop_capabilities() -> None:
    """Give up all rights of the user namespace that this process has made."""
    capability = 0
    while prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    require(capset(*NO_CAPABILITIES), "capset")


def set_filter(program: bytes) -> None:
    """Set a filter of system calls. The second one also forbids programs and further filters."""
    if not program:
        return
    header = len(program) // 8
    address = id(program) + BYTES_HEADER
    # Both processors that boxes are made for put the lowest byte first.
    fprog = header.to_bytes(8, "little") + address.to_bytes(8, "little")
    require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog), "PR_SET_SECCOMP")

"""The walls a box puts up itself where bubblewrap may not, before it reads its bot."""

import _ctypes
import posix

PR_SET_PDEATHSIG, SIGKILL = 1, 9
PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_RESTRICT_SELF = 446


def enclose(parent: int, ruleset: int, flags: int) -> None:
    """End with the referee; with a ruleset, lose for ever what it does not allow."""
    everything = _ctypes.dlopen(None, 2)  # type: ignore[arg-type]
    prctl = _ctypes.dlsym(everything, "prctl")
    _ctypes.call_function(prctl, (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
    if posix.getppid() != parent:
        # The referee ended before the kernel knew that we end with it.
        posix._exit(3)
    if ruleset < 0:
        return
    syscall = _ctypes.dlsym(everything, "syscall")
    if _ctypes.call_function(prctl, (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) != 0:
        posix._exit(3)
    if _ctypes.call_function(syscall, (LANDLOCK_RESTRICT_SELF, ruleset, flags)) != 0:
        posix._exit(3)
    posix.close(ruleset)

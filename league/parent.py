"""A process that ends with its parent, however that ends."""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent(by: signal.Signals) -> None:
    """From now on the kernel sends this signal to this process when its parent is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)

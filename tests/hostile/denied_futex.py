# tries: wake or await other boxes through a page of a library, which all of them share; verdict: ok
import ctypes
import os

from bots_sdk import Bot

LIBRARY = ctypes.CDLL(None, use_errno=True)
FUTEX = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
WAIT, WAKE, REQUEUE, WAIT_BITSET, WAKE_BITSET = 0, 1, 3, 9, 10
PRIVATE = 128


def futex(operation):
    word = ctypes.cast(LIBRARY.getpid, ctypes.c_void_p).value & ~3
    at_once = (ctypes.c_long * 2)(0, 1)
    time_or_count = at_once if operation in (WAIT, WAIT_BITSET) else 1
    value = ctypes.c_uint32.from_address(word).value
    address = ctypes.c_void_p(word)
    ctypes.set_errno(0)
    LIBRARY.syscall(FUTEX, address, operation, value, time_or_count, address, 1)
    return ctypes.get_errno()


class Hostile(Bot):
    def decide(self, view, options):
        for operation in (WAIT, WAKE, REQUEUE, WAIT_BITSET, WAKE_BITSET):
            if futex(operation) != 1:
                raise AssertionError(f"escaped: {operation} {os.strerror(ctypes.get_errno())}")
        if futex(WAKE | PRIVATE):
            raise AssertionError("its own locks do not work")
        return options[0]

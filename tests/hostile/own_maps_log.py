# tries: map what it prints, to run or read it; verdict: ok
import ctypes
import mmap

from bots_sdk import Bot

CODE = b"\xc3" * 4096
READ, WRITE, EXECUTE = 1, 2, 4
SHARED, PRIVATE = 1, 2
FAILED = ctypes.c_void_p(-1).value


def mapped(descriptor, protection, flags):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    return libc.mmap(None, len(CODE), protection, flags, descriptor, 0) != FAILED


class Hostile(Bot):
    def decide(self, view, options):
        print(CODE.decode("latin-1"))
        for descriptor in (1, 2):
            for protection in (READ, EXECUTE, READ | EXECUTE, WRITE, READ | WRITE):
                for flags in (SHARED, PRIVATE):
                    how = f"{descriptor} {protection} {flags}"
                    assert not mapped(descriptor, protection, flags), f"escaped: {how}"
        try:
            mmap.mmap(1, 4096, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return options[0]
        raise AssertionError("escaped: mmap")

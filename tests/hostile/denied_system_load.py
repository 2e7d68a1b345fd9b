# tries: learn how much memory and load the host has; verdict: ok
import ctypes
import os

from bots_sdk import Bot


def sysinfo():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.sysinfo(ctypes.create_string_buffer(256)) != 0:
        raise OSError(ctypes.get_errno(), "sysinfo")


PROBES = {
    "sysinfo": sysinfo,
    "load": os.getloadavg,
    "processors": lambda: os.open("/proc/stat", os.O_RDONLY),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]

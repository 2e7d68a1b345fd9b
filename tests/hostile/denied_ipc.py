# tries: share memory, queues and semaphores with the host; verdict: ok
import ctypes
import os

from bots_sdk import Bot


def call(name, *args):
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*args) == -1:
        raise OSError(ctypes.get_errno(), name)


PROBES = {
    "shmget": lambda: call("shmget", 0x4B41, 4096, 0o1666),
    "msgget": lambda: call("msgget", 0x4B41, 0o1666),
    "semget": lambda: call("semget", 0x4B41, 1, 0o1666),
    "shm_open": lambda: call("shm_open", b"/karat", os.O_CREAT | os.O_RDWR, 0o666),
    "mq_open": lambda: call("mq_open", b"/karat", os.O_CREAT | os.O_RDWR, 0o666, None),
    "pipe": os.pipe,
    "eventfd": lambda: os.eventfd(0),
    "pidfd": lambda: os.pidfd_open(1),
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

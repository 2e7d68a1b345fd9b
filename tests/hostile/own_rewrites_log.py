# tries: read, rewind, overwrite, cut or reopen what it printed; verdict: ok
import fcntl
import os

from bots_sdk import Bot

PROBES = {
    "read": lambda: os.pread(1, 10, 0),
    "truncate": lambda: os.ftruncate(1, 0),
    "write in the middle": lambda: os.pwrite(1, b"forged", 0),
    "stop appending": lambda: fcntl.fcntl(1, fcntl.F_SETFL, os.O_WRONLY),
    "lift the seals": lambda: fcntl.fcntl(1, fcntl.F_ADD_SEALS, 0),
    "make it executable": lambda: os.fchmod(1, 0o777),
    "reopen": lambda: os.open("/proc/self/fd/1", os.O_RDONLY),
    "reopen for all": lambda: os.open("/dev/stdout", os.O_RDWR),
}


class Hostile(Bot):
    def decide(self, view, options):
        os.write(1, b"first;")
        size = os.fstat(1).st_size
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        os.lseek(1, 0, os.SEEK_SET)
        os.write(1, b"second;")
        assert os.fstat(1).st_size == size + len(b"second;"), "escaped: rewound"
        return options[0]

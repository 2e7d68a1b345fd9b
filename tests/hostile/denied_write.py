# tries: write a file anywhere; verdict: ok
import os
import sys
import tempfile
from pathlib import Path

from bots_sdk import Bot

PROBES = {
    "working folder": lambda: Path("x").write_text("x"),
    "root": lambda: Path("/x").write_text("x"),
    "tmp": lambda: Path("/tmp/x").write_text("x"),
    "shm": lambda: Path("/dev/shm/x").write_text("x"),
    "append to a module": lambda: os.open(os.__file__, os.O_WRONLY | os.O_APPEND),
    "truncate a module": lambda: os.truncate(os.__file__, 0),
    "beside the interpreter": lambda: Path(sys.executable + ".x").touch(),
    "create only": lambda: os.open("/x", os.O_CREAT | os.O_EXCL),
    "nameless": lambda: os.open("/", os.O_TMPFILE | os.O_RDWR),
    "temporary": tempfile.mkstemp,
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

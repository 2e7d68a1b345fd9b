"""A small disk that can be filled: only root may mount one."""

import os
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

FULL_SECONDS = 2


@contextmanager
def small(megabytes):
    """An empty folder on a disk of its own, if one can be mounted; an ordinary one if not."""
    with tempfile.TemporaryDirectory(prefix="karat-chaos-") as name:
        size = f"size={megabytes}m"
        command = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", name]
        mounted = not subprocess.run(command, capture_output=True, check=False).returncode
        try:
            yield Path(name)
        finally:
            if mounted:
                subprocess.run(["umount", "-l", name], check=False)


def fill(folder):
    """Leave no byte for two seconds; says whether that could be done."""
    if not os.path.ismount(folder):
        return False
    filler = folder / "filler"
    try:
        with filler.open("wb") as file:
            while True:
                file.write(bytes(1 << 16))
                file.flush()
    except OSError:
        time.sleep(FULL_SECONDS)
    finally:
        filler.unlink(missing_ok=True)
    return True

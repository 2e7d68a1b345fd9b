"""The data folder and everything in it belong to the user of the league, and to nobody else.

Password hashes, sessions, seeds and private sources are in there. The folders that boxes see are
elsewhere (`runners/box/stage.py`), because a box runs as another user.
"""

import os
import stat
import sys
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def prepare(folder: Path) -> Path:
    """Make the folder for this user alone, and let this process write files for this user alone.

    A folder of a former version that others can read is closed, with all that is in it.
    """
    os.umask(OTHERS)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_mode & OTHERS:
        _close(folder)
    return folder


def _close(folder: Path) -> None:
    try:
        os.chmod(folder, 0o700)
    except PermissionError:
        print(
            f"karat: other users can look into {folder}, which belongs to somebody else;"
            " choose another folder (KARAT_VAR)",
            file=sys.stderr,
        )
        return
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if mode & OTHERS and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            os.chmod(path, stat.S_IMODE(mode) & ~OTHERS)
    print(f"karat: other users could read {folder}; now only its owner can", file=sys.stderr)

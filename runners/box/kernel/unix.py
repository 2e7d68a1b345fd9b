"""The parts of the system that boxes are made of, and whether this one has them.

All modules of `runners.box` can be imported everywhere. Boxes exist on Linux alone, so whatever is
missing elsewhere is never reached: a box refuses to start first.
"""

import sys

from runners.box.policy import NoWall

try:
    import fcntl
    import pwd
    from time import clock_gettime
except ImportError:
    HAS_BOXES = False
else:
    HAS_BOXES = sys.platform == "linux"

NEEDS_LINUX = (
    "Boxes need Linux. Use a container or, on Windows, WSL (docs/platforms.md); everything without "
    "boxes works here."
)


def require_linux() -> None:
    """Raise `NoWall` where there are no boxes."""
    if not HAS_BOXES:
        raise NoWall(NEEDS_LINUX)


__all__ = ["HAS_BOXES", "NEEDS_LINUX", "clock_gettime", "fcntl", "pwd", "require_linux"]

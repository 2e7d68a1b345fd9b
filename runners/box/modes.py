"""What boxes are made of, and which of it this process uses.

`SANDBOX` names a mode or `auto`. Nothing here tries a wall: that is `select`.
"""

import os
from enum import StrEnum

from runners.box.policy import NoWall

AUTO = "auto"
UNSAFE_ALLOWED = "ALLOW_UNSAFE_SANDBOX"


class Mode(StrEnum):
    """One way to keep a bot where it is."""

    TEMPLATE = "template"
    BWRAP = "bwrap"
    LANDLOCK = "landlock"
    UNSAFE_LOCAL = "unsafe-local"

    @property
    def rated(self) -> bool:
        """Whether matches between strangers may count."""
        return self is not Mode.UNSAFE_LOCAL


_selected: Mode | NoWall | None = None


def requested_mode() -> Mode | None:
    """Return the mode that `SANDBOX` names, None for `auto`; raise `NoWall` if it is no mode."""
    name = os.environ.get("SANDBOX") or AUTO
    if name == AUTO:
        return None
    if name not in list(Mode):
        raise NoWall(f"SANDBOX={name} is no mode: say {', '.join([AUTO, *Mode])}.")
    if name == Mode.UNSAFE_LOCAL and os.environ.get(UNSAFE_ALLOWED) != "1":
        raise NoWall(
            f"SANDBOX={name} has no walls: a bot can do whatever you can. "
            f"If you trust every bot, set {UNSAFE_ALLOWED}=1 as well."
        )
    return Mode(name)


def in_force() -> Mode:
    """Return the mode of the next box: the one in use, what `SANDBOX` names, or the usual one."""
    if isinstance(_selected, NoWall):
        raise _selected
    return _selected or requested_mode() or Mode.TEMPLATE


def use_mode(mode: Mode | NoWall | None) -> None:
    """Make all further boxes of this process this way, or refuse them; None forgets it."""
    global _selected  # noqa: PLW0603  one machine, one process, one mode
    _selected = mode

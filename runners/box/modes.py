"""What boxes are made of: bubblewrap, Landlock or nothing; and which of them this process uses.

`SANDBOX` names a mode or `auto`. Nothing here tries a wall: that is `choice`.
"""

import os
from enum import StrEnum

from runners.box.policy import NoWall

AUTO = "auto"
UNSAFE_ALLOWED = "ALLOW_UNSAFE_SANDBOX"


class Mode(StrEnum):
    """One way to keep a bot where it is."""

    BWRAP = "bwrap"
    LANDLOCK = "landlock"
    UNSAFE_LOCAL = "unsafe-local"

    @property
    def rated(self) -> bool:
        """Whether matches between strangers may count."""
        return self is not Mode.UNSAFE_LOCAL


_settled: Mode | NoWall | None = None


def asked() -> Mode | None:
    """The mode that `SANDBOX` names, nothing for `auto`; `NoWall` if it may not be."""
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
    """The mode of the next box: what was settled, what `SANDBOX` names, or bubblewrap."""
    if isinstance(_settled, NoWall):
        raise _settled
    return _settled or asked() or Mode.BWRAP


def settle_on(mode: Mode | NoWall | None) -> None:
    """From now on all boxes of this process are made this way, or refused; None forgets it."""
    global _settled  # noqa: PLW0603  one machine, one process, one mode
    _settled = mode

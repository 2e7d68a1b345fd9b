"""Selecting the mode of a machine: the one asked for, or the best whose walls hold, or none.

A worker calls `select_mode` when it starts and every hour, and takes no match without a mode.
`python -m runners.box.select` prints its choice and ends with 1 if no bot may play.
"""

import os
import sys
from dataclasses import dataclass

from runners.box import modes, template
from runners.box.kernel import unix
from runners.box.modes import Mode
from runners.box.policy import NoWall
from runners.box.selftest import IN_A_BOX, Wall, check, comes_up

INSTALL = "Install bubblewrap and allow user namespaces (docs/sandbox.md)"
INSTALL_OR_NAME = f"{INSTALL}, or set SANDBOX={Mode.LANDLOCK} on a machine of your own"
NO_WALLS = "No wall keeps a bot here: play only with bots you trust. Matches are not rated."
SECOND_BEST = (
    f"Landlock keeps the bots, because bubblewrap cannot. {INSTALL} before strangers come."
)
SLOWER = "Boxes are started by bubblewrap, which takes longer"


@dataclass(frozen=True, slots=True)
class Choice:
    """The mode of this machine, every wall that was tried, and advice for its owner."""

    mode: Mode | None
    """None: no bot plays."""
    walls: list[Wall]
    advice: str = ""

    @property
    def rated(self) -> bool:
        """Whether matches played here may count."""
        return self.mode is not None and self.mode.rated

    @property
    def held(self) -> bool:
        """Whether every wall of the mode holds."""
        return all(wall.held for wall in self.walls)


def choose(*, embedded: bool) -> Choice:
    """Try the walls. `embedded`: somebody's own machine, where Landlock will do without asking."""
    if not unix.HAS_BOXES:
        return Choice(None, [], unix.NEEDS_LINUX)
    try:
        requested = modes.requested_mode()
    except NoWall as error:
        return Choice(None, [], str(error))
    if requested is Mode.UNSAFE_LOCAL:
        return Choice(requested, check(requested), NO_WALLS)
    if requested:
        return _try_mode(requested, INSTALL_OR_NAME)
    best = _try_namespaces(INSTALL if embedded else INSTALL_OR_NAME)
    if best.mode or not embedded:
        return best
    second = _try_mode(Mode.LANDLOCK, INSTALL)
    return Choice(second.mode, second.walls, SECOND_BEST) if second.mode else best


def _try_namespaces(fix: str) -> Choice:
    """Try the two ways to the same walls, the quicker one first."""
    forked = _try_mode(Mode.TEMPLATE, fix)
    if forked.mode:
        return forked
    started = _try_mode(Mode.BWRAP, fix)
    if started.mode is None:
        return started
    reason = forked.advice.removesuffix(f" {fix}.")
    return Choice(started.mode, started.walls, f"{SLOWER}: {reason}")


def _try_mode(mode: Mode, fix: str) -> Choice:
    if mode is Mode.TEMPLATE:
        # What holds is to be true of boxes from now on, so not of a template that was there before.
        template.close_all()
    walls = check(mode)
    broken = [
        wall.seen if wall.name == IN_A_BOX else f"“a bot {wall.name}” is not true ({wall.seen})"
        for wall in walls
        if not wall.held
    ]
    if not broken:
        return Choice(mode, walls)
    return Choice(None, walls, f"{mode} does not hold here: {'; '.join(broken)}. {fix}.")


def select_mode(*, embedded: bool) -> Choice:
    """Choose a mode, and make all boxes of this process that way or refuse them."""
    choice = choose(embedded=embedded)
    modes.use_mode(choice.mode or NoWall(choice.advice))
    return choice


def select_mode_quickly() -> str:
    """Select the mode of a command on somebody's own machine, and return advice or nothing.

    Canaries are tried only where neither a template nor bubblewrap comes up. Processes started
    from here on do the same.
    """
    requested = modes.requested_mode()
    if requested or comes_up(Mode.TEMPLATE):
        return NO_WALLS if requested is Mode.UNSAFE_LOCAL else ""
    if comes_up(Mode.BWRAP):
        os.environ["SANDBOX"] = Mode.BWRAP
        return ""
    choice = choose(embedded=True)
    if choice.mode is None:
        raise NoWall(choice.advice)
    os.environ["SANDBOX"] = choice.mode
    return choice.advice


def main() -> int:
    """Print the mode and every wall."""
    choice = choose(embedded=True)
    print(f"mode    {choice.mode or 'none'}")
    for wall in choice.walls:
        print(f"{'held  ' if wall.held else 'BROKEN'}  {wall.name}  ({wall.seen})")
    print(choice.advice)
    return 0 if choice.mode else 1


if __name__ == "__main__":
    sys.exit(main())

"""How each mode starts a process behind its walls: the command, and what it takes along.

A box from outside (`launch`) is the same in all modes.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from runners.box.kernel import landlock, unix
from runners.box.kernel.seccomp import (
    first_filter,
    fork_filter,
    second_filter,
    template_filter,
)
from runners.box.manifest import NUMPY, manifest
from runners.box.modes import Mode
from runners.box.policy import (
    BUNDLE_HOME,
    DROP_USER,
    KARAT_HOME,
    LIBRARIES,
    PYTHON_FLAGS,
    PYTHON_HOME,
    NoWall,
    bwrap_arguments,
    environment_below,
    this_machine,
)
from runners.box.stage import Stage
from runners.bundles.unpacked import UnpackedBundle

_SHOWN_STATUS = 128
NO_RULESET = -1


class KilledFromOutside(Exception):
    """The process that keeps a box was ended, so the end of the box says nothing about its bot."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is executed, and the descriptors that it needs."""

    executable: str
    arguments: list[str]
    environment: Mapping[str, str]
    descriptors: tuple[int, ...]

    def as_user(self, user: tuple[int, int] | None) -> "Command":
        """Return the same command, begun by a small program that becomes this user first.

        Python could change the user itself, but then it copies the tables of all memory of this
        process for every box; in a worker that takes longer than all else about a box.
        """
        if user is None:
            return self
        uid, gid = user
        become = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--"]
        return replace(
            self,
            executable=_find_program("setpriv", "util-linux"),
            arguments=[*become, self.executable, *self.arguments[1:]],
        )

    def start(self, output: int) -> "subprocess.Popen[bytes]":
        """Start it with this descriptor for all that it prints, and a group of its own.

        Until bubblewrap's child is ready to die with it, ending bubblewrap alone would leave the
        child waiting for ever.
        """
        return subprocess.Popen(
            self.arguments,
            executable=self.executable,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=self.descriptors,
            cwd="/",
            env=self.environment,
            start_new_session=True,
        )


@dataclass(frozen=True, slots=True)
class Order:
    """What runs behind the walls: our program with its wire and limits, or one of a test."""

    stage: Stage
    wire: int
    log: int
    limits: Sequence[str]
    program: Sequence[str] | None = None
    status: int = -1
    """Where bubblewrap writes what it tells about itself."""
    bundle: UnpackedBundle | None = None
    """What the box is started for, unless that is a single file."""
    numpy: bool = False


class Walls(Protocol):
    """What differs from mode to mode."""

    def command(self, order: Order) -> AbstractContextManager[Command]:
        """Yield the command; its own descriptors stay open until the block ends."""

    def pid(self, keeper: int, status_fd: int, /) -> int:
        """Return the number of the process that has the bot in it; `keeper` was started."""

    def ending(self, status: int) -> int:
        """Return the exit status of that process, negative for a signal."""

    def bundle_folder(self, bundle: UnpackedBundle) -> str:
        """Return where a box sees its bundle."""


class Bubblewrap:
    """Namespaces of its own and two folders; bubblewrap sets the first filter."""

    @contextmanager
    def command(self, order: Order) -> Iterator[Command]:
        """Put everything on the command line; only the filter comes through a pipe."""
        first, second = filters(bundle=order.bundle is not None)
        ours = _program(KARAT_HOME, order, second, enclosed="")
        filter_fd, filter_end = os.pipe()
        try:
            os.write(filter_end, first)
            os.close(filter_end)
            walls = bwrap_arguments(
                str(order.stage.python),
                str(order.stage.karat),
                seccomp_fd=filter_fd,
                status_fd=order.status,
                bundle=str(order.bundle.folder) if order.bundle else None,
            )
            arguments = [*walls, f"{PYTHON_HOME}/bin/python3", *ours]
            bwrap = _find_program("bwrap", "bubblewrap")
            yield Command(bwrap, arguments, {}, (order.wire, filter_fd, order.status))
        finally:
            os.close(filter_fd)

    def pid(self, _keeper: int, status_fd: int, /) -> int:
        """Read it: bubblewrap writes it down before it lets the process begin."""
        return int(json.loads(os.pread(status_fd, 4096, 0).splitlines()[0])["child-pid"])

    def ending(self, status: int) -> int:
        """Undo how bubblewrap shows a signal, as a large status; its own end is another thing."""
        if status < 0:
            raise KilledFromOutside
        return _SHOWN_STATUS - status if status > _SHOWN_STATUS else status

    def bundle_folder(self, _bundle: UnpackedBundle) -> str:
        """Return its place below the root of the box."""
        return BUNDLE_HOME


@dataclass(frozen=True, slots=True)
class Plain:
    """A process among others, which encloses itself before it reads its bot, if it is to."""

    enclosed: bool

    @contextmanager
    def command(self, order: Order) -> Iterator[Command]:
        """Start the staged interpreter with the staged loader: nothing of the host's is loaded."""
        root, karat = order.stage.python, order.stage.karat
        loader, python = interpreter_below(root)
        with self._walls(order) as (ruleset, first, second):
            flags = landlock.supported_bits(landlock.QUIET, landlock.version())
            enclosed = f"{os.getpid()},{ruleset},{flags},{first}"
            ours = _program(str(karat), order, second, enclosed)
            fds = (order.wire,) if ruleset == NO_RULESET else (order.wire, ruleset)
            yield Command(loader, [loader, python, *ours], environment_below(str(root)), fds)

    @contextmanager
    def _walls(self, order: Order) -> Iterator[tuple[int, str, str]]:
        if not self.enclosed:
            yield NO_RULESET, "", ""
            return
        first, second = filters(bundle=order.bundle is not None)
        with landlock.ruleset(readable_folders(order.stage, order.bundle)) as fd:
            yield fd, first.hex(), second

    def pid(self, keeper: int, _status_fd: int, /) -> int:
        """Return the process that was started: it has the bot in it."""
        return keeper

    def ending(self, status: int) -> int:
        """Return what the kernel says."""
        return status

    def bundle_folder(self, bundle: UnpackedBundle) -> str:
        """Return its place on the host."""
        return str(bundle.folder)


COMMANDS: Mapping[Mode, Walls] = MappingProxyType(
    {
        Mode.BWRAP: Bubblewrap(),
        Mode.LANDLOCK: Plain(enclosed=True),
        Mode.UNSAFE_LOCAL: Plain(enclosed=False),
    }
)


def _program(karat: str, order: Order, second: str, enclosed: str) -> list[str]:
    start = [f"{karat}/inside_box/main.pyc", str(order.wire), manifest().sdk_entry]
    if order.bundle:
        start[0] = f"{karat}/inside_box/bundle_main.pyc"
        start.append(NUMPY if order.numpy else "")
    ours = [*start, second, enclosed, *order.limits]
    return [*PYTHON_FLAGS, *(order.program or ours)]


def readable_folders(stage: Stage, bundle: UnpackedBundle | None) -> tuple[Path, ...]:
    """Return all that a box may read."""
    own = () if bundle is None else (bundle.folder,)
    return (stage.python, stage.karat, *own)


def interpreter_below(root: Path) -> tuple[str, str]:
    """Return the staged loader and interpreter, where they lie on the host."""
    loader = next((root / LIBRARIES.lstrip("/")).glob("ld-linux*"))
    return str(loader), f"{root}{PYTHON_HOME}/bin/python3"


@cache
def drop_to() -> tuple[int, int] | None:
    """Return the user and group that a root controller becomes for a box."""
    if os.geteuid() != 0:
        return None
    try:
        entry = unix.pwd.getpwnam(DROP_USER)
    except KeyError:
        raise NoWall(
            f"Boxes are not started as root. Make a user for them: "
            f"useradd --system --no-create-home --shell /usr/sbin/nologin {DROP_USER}"
        ) from None
    return entry.pw_uid, entry.pw_gid


@cache
def _find_program(program: str, package: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise NoWall(f"Boxes need {program}: apt-get install {package}")
    return path


@cache
def filters(*, forked: bool = False, bundle: bool = False) -> tuple[bytes, str]:
    """Return the two filters of this processor: bytes for a pipe, text for a command line.

    `forked`: the first one is set by a template, and its forks put up their walls behind it.
    """
    machine = this_machine()
    if forked:
        return template_filter(machine, bundle=bundle), fork_filter(machine, bundle=bundle).hex()
    return first_filter(machine), second_filter(machine, bundle=bundle).hex()

"""What keeps bubblewrap from working on this machine, and the one command that fixes it.

`read_system` looks; `find_remedy` decides, and can be tested for systems that are not at hand.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runners.box.kernel import unix
from runners.box.policy import DROP_USER
from runners.box.stage import StageUnusable, prepare_stage

INSTALLERS = {
    "apt-get": "apt-get install --yes",
    "dnf": "dnf install --assumeyes",
    "pacman": "pacman -S --noconfirm",
    "zypper": "zypper --non-interactive install",
    "apk": "apk add",
}
"""How packages are installed, by the program that does it."""

CONTAINER_MARKS = ("/.dockerenv", "/run/.containerenv")
CONTAINER_OPTIONS = (
    "docker run --security-opt seccomp=deploy/seccomp-worker.json "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined …"
)

MAX_NAMESPACES = "user.max_user_namespaces"
DEBIAN_SWITCH = "kernel.unprivileged_userns_clone"
UBUNTU_SWITCH = "kernel.apparmor_restrict_unprivileged_userns"


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing that is missing, and the command that brings it."""

    problem: str
    command: str


@dataclass(frozen=True, slots=True)
class System:
    """The facts about a machine that decide whether bubblewrap can work."""

    has_bwrap: bool = True
    has_setpriv: bool = True
    is_root: bool = False
    has_drop_user: bool = True
    in_container: bool = False
    is_filtered: bool = False
    """Whether a seccomp filter is in force, as in a container."""
    installer: str = INSTALLERS["apt-get"]
    kernel: Mapping[str, str] = field(default_factory=dict)
    """Settings of the kernel by name; those that it does not have are missing."""
    has_proc: bool = True
    stage_problem: str = ""
    """Why the folder for what boxes see cannot be filled."""


def find_remedy(system: System) -> Remedy | None:
    """Return what to do first, None if nothing is known to be missing."""
    sudo = "" if system.is_root else "sudo "
    if not system.has_bwrap:
        install = f"{sudo}{system.installer} bubblewrap"
        return Remedy("Bubblewrap, which makes the boxes, is not installed.", install)
    if system.is_root and not system.has_setpriv:
        return Remedy("The program setpriv is missing.", f"{system.installer} util-linux")
    if system.is_root and not system.has_drop_user:
        return Remedy(
            "Boxes are not started as root, and there is no user for them.",
            f"useradd --system --no-create-home --shell /usr/sbin/nologin {DROP_USER}",
        )
    if not system.has_proc:
        return Remedy("Boxes need /proc, which is not there.", f"{sudo}mount -t proc proc /proc")
    if system.stage_problem:
        return Remedy(system.stage_problem, StageUnusable.fix)
    return _namespace_remedy(system, sudo)


def _namespace_remedy(system: System, sudo: str) -> Remedy | None:
    """Return what makes user namespaces possible, as far as something is known to forbid them."""
    for name, refusing, allowing in (
        (MAX_NAMESPACES, "0", "15000"),
        (DEBIAN_SWITCH, "0", "1"),
        (UBUNTU_SWITCH, "1", "0"),
    ):
        if system.kernel.get(name) == refusing:
            problem = f"The kernel refuses user namespaces ({name} is {refusing})."
            return Remedy(problem, f"{sudo}sysctl -w {name}={allowing}")
    if system.in_container or system.is_filtered:
        return Remedy(
            "The container forbids user namespaces. Start it with these options "
            "(Podman: unmask=ALL in place of systempaths=unconfined).",
            CONTAINER_OPTIONS,
        )
    return None


def read_system() -> System:
    """Look at this machine."""
    installer = next((how for name, how in INSTALLERS.items() if shutil.which(name)), "")
    names = (MAX_NAMESPACES, DEBIAN_SWITCH, UBUNTU_SWITCH)
    return System(
        has_bwrap=shutil.which("bwrap") is not None,
        has_setpriv=shutil.which("setpriv") is not None,
        is_root=os.geteuid() == 0,
        has_drop_user=_has_user(DROP_USER),
        in_container=any(Path(mark).exists() for mark in CONTAINER_MARKS),
        is_filtered="\nSeccomp:\t2" in _read("/proc/self/status"),
        installer=installer or INSTALLERS["apt-get"],
        kernel={
            name: value
            for name in names
            if (value := _read(f"/proc/sys/{name.replace('.', '/')}").strip())
        },
        has_proc=Path("/proc/self/fd").exists(),
        stage_problem=_stage_problem(),
    )


def _stage_problem() -> str:
    try:
        prepare_stage()
    except StageUnusable as error:
        return error.problem
    return ""


def _has_user(name: str) -> bool:
    try:
        unix.pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""

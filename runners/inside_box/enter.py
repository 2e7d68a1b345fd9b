"""The way into the world that a template and its boxes share: two read-only folders, no host.

Started as `enter.pyc ROOT KARAT PIVOT PROGRAM …` where nothing is closed yet; ends by becoming the
interpreter in ROOT, with the words of PROGRAM, behind a root of its own. `/proc` of the host stays
open as a descriptor: boxes describe their users there, and close it before they read a bot.
"""

import posix
import sys

if __name__ == "__main__":
    __package__ = "inside_box"
    sys.path.append(sys.argv[0].removesuffix("/inside_box/enter.pyc"))

from .enclose import end_with
from .system import function, require, syscall
from .users import become_nobody

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_SLAVE = 32, 4096, 16384, 1 << 19
MNT_DETACH = 2
O_PATH, O_DIRECTORY = 0o10000000, 0o200000
READ_ONLY = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
PYTHON = "/py/bin/python3"

mount = function("mount")


def bind(source: str, target: str) -> None:
    """Show a folder at another place as well."""
    require(mount(source.encode(), target.encode(), None, MS_BIND, None), f"mount {target}")


def bind_read_only(source: str, target: str, more: int = 0) -> None:
    """Show a folder at another place, where nobody can write, run as another or find a device."""
    bind(source, target)
    # What the host forbids must stay forbidden, or the kernel refuses all of it.
    kept = posix.statvfs(target).f_flag & MS_NOEXEC
    require(mount(None, target.encode(), None, READ_ONLY | kept | more, None), f"remount {target}")


def leave_host(root: str, pivot_root: int) -> None:
    """Make a folder the root, and let go of the host's."""
    posix.chdir(root)
    require(syscall(pivot_root, b".", b"."), "pivot_root")
    require(function("umount2")(b".", MNT_DETACH), "umount2")
    posix.chdir("/")


def main() -> None:
    """Enter."""
    parent, root, karat, bundles, pivot_root, *program = sys.argv[1:]
    end_with(int(parent))
    uid, gid = posix.getuid(), posix.getgid()
    proc = posix.open("/proc", O_PATH | O_DIRECTORY)
    posix.set_inheritable(proc, True)
    require(function("unshare")(CLONE_NEWUSER | CLONE_NEWNS), "unshare")
    become_nobody(proc, uid, gid)
    require(mount(None, b"/", None, MS_REC | MS_SLAVE, None), "mount /")
    bind_read_only(root, root)
    bind_read_only(karat, f"{root}/karat")
    if bundles:
        bind_read_only(bundles, f"{root}/bundles", MS_NOEXEC)
    leave_host(root, int(pivot_root))
    environment = {
        name: value.decode().removeprefix(root).encode() for name, value in posix.environ.items()
    }
    posix.execve(PYTHON, ["python3", *program, str(proc)], environment)


if __name__ == "__main__":
    main()

"""A warm interpreter that is forked for every box, and never sees a bot itself.

It waits for orders: the two descriptors of a box, and the limits. A fork begins in namespaces of
its own, as a child of the referee (not of this process, so that the referee sees how it ends).
It puts up every wall around itself, and then it is the program in the box.
"""

import gc
import posix
import sys

# What every fork calls once is named here: the first look at a name of a module writes to a page.
from posix import closerange, dup2, setsid, write

if __name__ == "__main__":
    __package__ = "inside_box"
    HOME = sys.argv[0].removesuffix("/inside_box/template.pyc")
    sys.path += [HOME, f"{sys.prefix}/packages"]
    # It was for the linker (`runners.box.template`): no box has it in its environment.
    posix.unsetenv(b"LD_BIND_NOW")
    del posix.environ[b"LD_BIND_NOW"]

import _socket
import random

from . import enclose, main as program
from .answering import WIRE, decoder
from .rehearsal import rehearse
from .system import Refused, function, require, syscall
from .users import NOBODY, allow_no_namespace, become_nobody

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Sdk = Any
    """The module that authors write against."""

CLONE_PARENT, SIGCHLD = 0x8000, 17
CLONE_NEWUTS, CLONE_NEWUSER = 0x04000000, 0x10000000
BORN = b"!"
"""The first byte of every fork. With it the kernel tells the referee which process it is."""
HOST_NAME = b"box"
MAX_ORDER_BYTES = 4096
INT_BYTES = 4
MAX_RIGHTS = 3
sethostname = function("sethostname")
FIRST_FOREIGN, PAST_ALL = 4, (1 << 31) - 1
"""A box has descriptors 0 to 3; those of the template have the numbers that the referee gave."""


class Template:
    """What all forks have in common."""

    def __init__(self, home: str, words: "list[str]") -> None:
        """Load everything; the words come from `runners.box.template`."""
        control, ruleset, flags, first, second, clone, namespaces, sdk_entry, preload, proc = words
        self.control = _socket.socket(fileno=int(control))
        self.proc = int(proc)
        self.ruleset, self.landlock_flags = int(ruleset), int(flags)
        self.filter = bytes.fromhex(second)
        self.clone = int(clone)
        self.namespaces = int(namespaces)
        self.home = home
        self.order = bytearray(MAX_ORDER_BYTES)
        program.add_games(home)
        self.sdk = __import__(sdk_entry, fromlist=["Bot"])
        for name in filter(None, preload.split(",")):
            __import__(name)
        self.decode = decoder(self.sdk.View)
        rehearse(self.sdk, self.decode)
        self.load_more()
        program.use_log()
        gc.collect()
        self.seeders = seeders()
        # All that is there now stays: collecting garbage in a box does not touch its pages.
        gc.freeze()
        # Every fork has it as well. It is long, and the kernel translates it into machine code.
        enclose.give_up_new_privileges()
        enclose.set_filter(bytes.fromhex(first))

    def load_more(self) -> None:
        """Load what only some kinds of boxes need."""

    def wait(self) -> "tuple[str, list[int]]":
        """Fork for every order. Return the order and its descriptors, in the fork only."""
        while True:
            size, fds = self.receive()
            pid = syscall(self.clone, self.namespaces | CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)
            if pid == 0:
                return self.order[:size].decode(), fds
            # The next fork has the memory of this process, and orders are none of its business.
            self.order[:size] = bytes(size)
            if pid < 0:
                # For whoever waits for this box, and for whoever finds that the template is gone.
                for fd in (fds[1], 2):
                    posix.write(fd, b"the template cannot be forked\n")
            for fd in fds:
                posix.close(fd)

    def receive(self) -> "tuple[int, list[int]]":
        """Read the next order, and return its size: with the wire, the log, perhaps a ruleset."""
        size, ancillary, _, _ = self.control.recvmsg_into(
            [self.order], _socket.CMSG_SPACE(MAX_RIGHTS * INT_BYTES)
        )
        if not size:
            posix._exit(0)
        [(_, _, rights)] = ancillary
        places = range(0, len(rights), INT_BYTES)
        return size, [int.from_bytes(rights[at : at + INT_BYTES], "little") for at in places]

    def furnish(self, order: str) -> None:
        """Do what an order says, while a fork still has the rights of its own namespaces."""
        program.set_limits(order.split())

    def enclose(self, order: str, wire: int, ruleset: int) -> None:
        """Put up every wall around a fork. No byte of a bot has been read yet."""
        if self.namespaces & CLONE_NEWUSER:
            become_nobody(self.proc, NOBODY, NOBODY)
            allow_no_namespace(self.proc)
        if self.namespaces & CLONE_NEWUTS:
            require(sethostname(HOST_NAME, len(HOST_NAME)), "sethostname")
        setsid()
        enclose.end_with_parent()
        self.furnish(order)
        enclose.drop_capabilities()
        enclose.restrict(ruleset, self.landlock_flags)
        # Only now: another descriptor that the walls need may lie where the wire belongs.
        dup2(wire, WIRE)
        closerange(FIRST_FOREIGN, PAST_ALL)
        enclose.set_filter(self.filter)


def seeders() -> "list[Callable[[], None]]":
    """Return what gives chance a new beginning in a fork: no two may share what was here."""
    found: list[Callable[[], None]] = [
        thing.seed for thing in gc.get_objects() if issubclass(type(thing), random.Random)
    ]
    numpy = sys.modules.get("numpy")
    return [*found, numpy.random.seed] if numpy else found


def become_box(template: Template, order: str, fds: "list[int]") -> None:
    """Take the descriptors of a box, put up the walls, and forget all chance."""
    wire, log, *own_ruleset = fds
    write(wire, BORN)
    for fd in (1, 2):
        dup2(log, fd)
    try:
        template.enclose(order, wire, *(own_ruleset or [template.ruleset]))
        for seed in template.seeders:
            seed()
    except (OSError, Refused) as error:
        # The referee reads this when a box does not get ready.
        posix.write(2, f"a wall cannot be put up: {error}".encode())
        posix._exit(3)


def main() -> None:
    """Be the template; in a fork, be the program in the box."""
    template = Template(HOME, sys.argv[1:])
    del sys.argv[1:]
    become_box(template, *template.wait())
    program.serve(template.sdk, template.decode)


if __name__ == "__main__":
    main()

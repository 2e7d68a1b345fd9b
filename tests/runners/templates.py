"""Templates and their boxes, as the host sees them."""

import os
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from runners.box import template
from runners.box.launch import Box, gather
from runners.limits import Limits

NAMESPACES = ("user", "pid", "net", "ipc", "uts", "cgroup", "mnt")


def template_pid():
    """The process of the template that was started last."""
    return list(template._templates.values())[-1].pid


def status(pid):
    """What the kernel tells of a process, by name."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def stat_fields(pid):
    """State, parent, group and session of a process, and more."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def namespaces(pid):
    """The seven namespaces of a process."""
    return {name: os.readlink(f"/proc/{pid}/ns/{name}") for name in NAMESPACES}


def descriptors_of(pid):
    """Where the descriptors of a process lead."""
    folder = Path(f"/proc/{pid}/fd")
    return {int(path.name): os.readlink(path) for path in folder.iterdir()}


_strangers: set[int] = set()
"""What other tests of this process left running."""


def forget_strangers():
    """Count from now on only what is started from now on."""
    _strangers.update(children())


def children():
    """The processes that this one has started and not waited for, zombies included."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(stat_fields(folder.name)[1]) == os.getpid():
                found.add(int(folder.name))
        except OSError:
            continue
    return found - _strangers


def is_alive(pid):
    """Whether it runs; a zombie that waits for its reaper does not."""
    try:
        return stat_fields(pid)[0] != "Z"
    except OSError:
        return False


def resident_kib(pid):
    return int(status(pid)["VmRSS"].split()[0])


def wait_until(fact, seconds=10):
    deadline = time.monotonic() + seconds
    while not fact() and time.monotonic() < deadline:
        time.sleep(0.01)
    return fact()


def load(box, source, seed="7"):
    """Have this bot in a box."""
    box.wait_ready()
    box.send({"source": source, "seed": seed, "file": "bot.py"}, 1000, 20_000)
    gather([box])
    assert box.reply.message == {"loaded": True}, box.reply


@contextmanager
def boxes_of(*sources, mode=None, numpy=False, seeds=None):
    """A box for every source, all of them at the same time."""
    with ExitStack() as stack:
        boxes = [stack.enter_context(closing(Box(Limits(), mode, numpy=numpy))) for _ in sources]
        for box, source, seed in zip(boxes, sources, seeds or ["7"] * len(boxes), strict=True):
            load(box, source, seed)
        yield boxes

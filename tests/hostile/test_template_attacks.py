"""Boxes that are forks of one template: what the kernel says of them, and attacks between them."""

import os
import re
import socket
from pathlib import Path

import pytest

from runners.box import policy, template, walls
from runners.box.kernel import landlock
from runners.box.modes import Mode
from runners.box.stage import stage_home
from runners.limits import Limits
from tests.hostile.judge import ROOT
from tests.hostile.test_hostile import why_no_boxes
from tests.runners.boxes import FIRST, ask, bot
from tests.runners.templates import (
    NAMESPACES,
    boxes_of,
    descriptors_of,
    namespaces,
    stat_fields,
    status,
    template_pid,
)

pytestmark = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))
GOVERNS_SIGNALS = 6
ALLOW_ALL = bytes.fromhex("0600 0000 0000ff7f")
LIMIT_NAMES = {
    "RLIMIT_AS": "Max address space",
    "RLIMIT_NPROC": "Max processes",
    "RLIMIT_NOFILE": "Max open files",
    "RLIMIT_STACK": "Max stack size",
    "RLIMIT_CORE": "Max core file size",
    "RLIMIT_CPU": "Max cpu time",
    "RLIMIT_FSIZE": "Max file size",
}


@pytest.fixture(autouse=True)
def _forked(monkeypatch):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)


@pytest.fixture
def no_filters(monkeypatch):
    """Boxes without filters, so that it is the other walls that hold."""
    monkeypatch.setattr(walls, "filters", lambda **_: (ALLOW_ALL, ALLOW_ALL.hex()))


@pytest.fixture(params=[False, True], ids=["plain", "numpy"])
def pair(request):
    """Two boxes of one template, each with a bot in it, and the process of the template."""
    with boxes_of(FIRST, FIRST, numpy=request.param) as boxes:
        yield boxes[0]._pid, boxes[1]._pid, template_pid()


def test_a_box_has_no_right_left_and_two_filters_more_than_its_referee(pair):
    own_filters = int(status("self")["Seccomp_filters"])
    user = walls.drop_to() or (os.getuid(), os.getgid())
    for pid in pair[:2]:
        facts = status(pid)
        assert {facts[f"Cap{name}"] for name in ("Eff", "Prm", "Bnd", "Inh", "Amb")} == {"0" * 16}
        assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
        assert int(facts["Seccomp_filters"]) == own_filters + 2
        assert facts["NSpid"].split() == [str(pid), "1"]
        assert facts["Threads"] == "1"
        for name, number in zip(("Uid", "Gid"), user, strict=True):
            assert facts[name].split() == [str(number)] * 4
        assert int(facts["PPid"]) == os.getpid()


def test_a_box_shares_no_namespace_with_anybody(pair):
    one, other, parent = map(namespaces, pair)
    host = namespaces("self")
    for name in NAMESPACES:
        assert len({one[name], other[name], parent[name], host[name]} - {host[name]}) >= 2
        assert one[name] not in {other[name], parent[name], host[name]}
        assert other[name] not in {parent[name], host[name]}


def test_a_template_has_left_the_host_and_has_no_rights_either(pair):
    facts, host = status(pair[2]), namespaces("self")
    assert {facts[f"Cap{name}"] for name in ("Eff", "Prm", "Inh", "Amb")} == {"0" * 16}
    # Several threads could not be forked: a lock that another one holds would never be free.
    assert facts["Threads"] == "1"
    spaces = namespaces(pair[2])
    assert spaces["user"] != host["user"]
    assert spaces["mnt"] != host["mnt"]


def test_a_box_has_four_descriptors_and_none_of_its_template_or_its_sibling(pair):
    one, other, parent = map(descriptors_of, pair)
    for own in (one, other):
        assert sorted(own) == [0, 1, 2, 3]
        assert (own[0], own[1]) == ("/dev/null", own[2])
        assert own[1].startswith("/memfd:log")
        assert own[3].startswith("socket:")
        assert own[3] not in parent.values()
    assert one[3] != other[3]
    inodes = {os.stat(f"/proc/{pid}/fd/1").st_ino for pid in pair}
    assert len(inodes) == 3


def test_a_template_keeps_nothing_of_its_boxes(pair):
    assert len(descriptors_of(pair[2])) <= 6


def test_a_box_shares_no_memory_that_can_be_written(pair):
    for pid in pair:
        lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
        assert lines
        rights = {line.split()[1] for line in lines}
        assert not {right for right in rights if right[3] == "s" and right[1] == "w"}
        assert not {right for right in rights if right[1:3] == "wx"}


def test_a_box_has_two_mounts_that_nobody_can_write_to(pair):
    for pid in pair:
        mounts = [line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()]
        assert [mount[4] for mount in mounts] == ["/", policy.KARAT_HOME]
        for mount in mounts:
            assert {"ro", "nosuid", "nodev"} <= set(mount[5].split(","))


def test_a_box_has_the_limits_of_the_policy(pair):
    limits = policy.resource_limits(Limits())
    assert set(limits) == set(LIMIT_NAMES)
    for pid in pair[:2]:
        text = Path(f"/proc/{pid}/limits").read_text()
        for name, value in limits.items():
            line = re.search(rf"^{LIMIT_NAMES[name]}\s+(\S+)\s+(\S+)", text, re.MULTILINE)
            assert line.groups() == (str(value), str(value)), name


def test_a_box_is_the_first_of_its_own_session(pair):
    for pid in pair:
        _, _, group, session, terminal, *_ = stat_fields(pid)
        assert (int(group), int(session), terminal) == (pid, pid, "0")


TELLS = bot(
    "import os", "return f'{os.uname().nodename} {os.getuid()} {os.getgid()} {os.getpid()}'"
)


def test_a_box_is_called_box_and_its_bot_is_nobody():
    with boxes_of(TELLS) as [box]:
        assert ask(box).message["move"] == "box 65534 65534 1"
    # The names of the host stay what they were.
    assert socket.gethostname() == os.uname().nodename != "box"


def test_without_filters_a_box_still_makes_no_namespace_and_gets_no_rights(no_filters):
    source = bot(
        "errors = []",
        "for kind in (0x10000000, 0x20000, 0x40000000):",
        "    ctypes.set_errno(0)",
        "    LIBRARY.unshare(kind)",
        "    errors.append(errno.errorcode.get(ctypes.get_errno()))",
        "return ' '.join(map(str, errors))",
        before="import ctypes, errno\nLIBRARY = ctypes.CDLL(None, use_errno=True)",
    )
    with boxes_of(source) as [box]:
        assert ask(box).message["move"] == "ENOSPC EPERM EPERM"


# Harmless even where a wall is missing: signals only ask, and nothing is written.
REACH = """
import ctypes, os, resource, socket, time

LIBRARY = ctypes.CDLL(None, use_errno=True)
KEY, PTRACE_SEIZE = 0x4B41, 0x4206

def call(name, *words):
    function = getattr(LIBRARY, name)
    ctypes.set_errno(0)
    if function(*words) == -1:
        raise OSError(ctypes.get_errno(), name)

class Piece(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]

def read_memory(pid):
    target = ctypes.create_string_buffer(8)
    own, foreign = Piece(ctypes.addressof(target), 8), Piece(id(None), 8)
    call("process_vm_readv", pid, ctypes.byref(own), 1, ctypes.byref(foreign), 1, 0)

BY_NUMBER = {
    "kill": lambda pid: os.kill(pid, 0),
    "killpg": lambda pid: os.killpg(pid, 0),
    "tgkill": lambda pid: call("tgkill", pid, pid, 0),
    "sigqueue": lambda pid: call("sigqueue", pid, 0, 0),
    "pidfd": lambda pid: os.pidfd_open(pid),
    "ptrace": lambda pid: call("ptrace", PTRACE_SEIZE, pid, 0, 0),
    "process_vm_readv": read_memory,
    "limits": lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU),
    "priority": lambda pid: os.getpriority(os.PRIO_PROCESS, pid),
    "cores": lambda pid: os.sched_getaffinity(pid),
    "scheduler": lambda pid: os.sched_getscheduler(pid),
    "session": lambda pid: os.getsid(pid),
    "group": lambda pid: os.setpgid(0, pid),
    "clock": lambda pid: time.clock_gettime((~pid << 3) | 2),
    "/proc": lambda pid: os.stat(f"/proc/{pid}"),
}
FOR_ALL = {
    "all": lambda: os.kill(-1, 0),
    "its parent": lambda: os.kill(os.getppid() or -1, 0),
    "shared memory": lambda: call("shmget", KEY, 4096, 0o666),
    "semaphores": lambda: call("semget", KEY, 1, 0o666),
    "messages": lambda: call("msgget", KEY, 0o666),
    "a queue": lambda: call("mq_open", b"/karat", 0),
    "an abstract socket": lambda: socket.socket(socket.AF_UNIX).connect("\\0karat"),
    "a port": lambda: socket.create_connection(("127.0.0.1", 4141), 1),
}

def offer():
    "Make whatever others could find, without believing that it works."
    global LISTENER
    for attempt in (
        lambda: call("shmget", KEY, 4096, 0o1666),
        lambda: call("semget", KEY, 1, 0o1666),
        lambda: call("msgget", KEY, 0o1666),
        lambda: call("mq_open", b"/karat", 0o100, 0o666, None),
    ):
        try:
            attempt()
        except OSError:
            pass
    try:
        LISTENER = socket.socket(socket.AF_UNIX)
        LISTENER.bind("\\0karat")
        LISTENER.listen()
    except OSError:
        pass
"""
OFFERS = bot("offer()", "return 'a'", before=REACH)
REACHES = bot(
    "escaped = []",
    "for name, attempt in FOR_ALL.items():",
    "    try: attempt()",
    "    except OSError: continue",
    "    escaped.append(name)",
    "for pid in map(int, options):",
    "    for name, attempt in BY_NUMBER.items():",
    "        try: attempt(pid)",
    "        except OSError: continue",
    "        escaped.append(f'{name} {pid}')",
    "return ', '.join(escaped)",
    before=REACH,
)


def test_without_filters_a_bot_still_reaches_no_sibling_no_template_and_no_referee(no_filters):
    with boxes_of(OFFERS, REACHES) as [sibling, box]:
        assert ask(sibling).message["move"] == "a"
        others = [sibling._pid, template_pid(), os.getpid(), os.getppid()]
        reply = ask(box, options=[str(pid) for pid in others])
        assert reply.message == {"i": 1, "move": ""}, reply
        assert ask(sibling, 2).message == {"i": 2, "move": "a"}
    with boxes_of(FIRST) as [box]:
        assert ask(box).message["move"] == "a"


@pytest.mark.skipif(landlock.version() < GOVERNS_SIGNALS, reason="this Landlock is too old")
def test_without_filters_and_processes_of_its_own_a_bot_is_still_held_by_landlock(
    no_filters, monkeypatch
):
    fewer = {name: bit for name, bit in policy.FORK_NAMESPACES.items() if name != "processes"}
    monkeypatch.setattr(policy, "FORK_NAMESPACES", fewer)
    with boxes_of(FIRST, REACHES) as [sibling, box]:
        others = [sibling._pid, template_pid(), os.getpid()]
        seen = ask(box, options=[str(pid) for pid in others]).message["move"]
        # It sees that they are there, so only Landlock keeps it from them.
        assert f"session {sibling._pid}" in seen
        forbidden = "kill|killpg|tgkill|sigqueue|ptrace|process_vm_readv|/proc"
        assert not re.search(rf"\b(?:{forbidden}) \d", seen), seen


def test_what_bots_that_wait_lock_or_share_get_from_the_filters_is_an_error():
    source = bot(
        "results = []",
        "for attempt in (",
        "    lambda: fcntl.flock(0, fcntl.LOCK_EX),",
        "    lambda: fcntl.lockf(1, fcntl.LOCK_EX),",
        "    lambda: fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK),",
        "    lambda: fcntl.fcntl(0, fcntl.F_SETOWN, 1),",
        "    lambda: fcntl.fcntl(0, fcntl.F_SETLEASE, fcntl.F_RDLCK),",
        "    lambda: os.memfd_create('x'),",
        "    lambda: os.eventfd(0),",
        "    lambda: os.pipe(),",
        "    lambda: call('shmget', KEY, 4096, 0o1666),",
        "    lambda: call('sigqueue', 1, 10, 0),",
        "):",
        "    try: attempt()",
        "    except OSError: continue",
        "    results.append(attempt.__code__.co_firstlineno)",
        "return repr(results)",
        before=f"import fcntl\n{REACH}",
    )
    with boxes_of(source) as [box]:
        assert ask(box).message == {"i": 1, "move": "[]"}


def memory_of(pid):
    """All that a process could read of itself."""
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            if rights.startswith("r") and "[v" not in line:
                first, last = (int(number, 16) for number in place.split("-"))
                memory.seek(first)
                yield memory.read(last - first)


@pytest.mark.parametrize("numpy", [False, True], ids=["plain", "numpy"])
def test_the_memory_of_a_box_knows_neither_the_host_nor_another_bot(numpy, monkeypatch):
    monkeypatch.setenv("A_SECRET_OF_THE_HOST", "zinnober")
    template.close_all()
    secretive = FIRST + "\nSECRET = 'chrysopras'\n"
    own = FIRST + "\nOWN = 'tigerauge'\n"
    with boxes_of(secretive, own, numpy=numpy, seeds=["karneol", "heliotrop"]) as [sibling, box]:
        ask(sibling)
        ask(box)
        secrets = [b"chrysopras", b"karneol", b"zinnober", bytes(stage_home()), bytes(ROOT)]
        seen = set()
        for piece in memory_of(box._pid):
            seen |= {secret for secret in [*secrets, b"tigerauge", b"heliotrop"] if secret in piece}
        # Its own are there, so this looks where they would be.
        assert seen == {b"tigerauge", b"heliotrop"}

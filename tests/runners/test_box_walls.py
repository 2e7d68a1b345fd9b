"""The walls of a box in every mode that has some: each switched off alone, the others hold."""

import os

import pytest

from runners.box import launch, policy, selftest, walls
from runners.box.kernel import landlock
from runners.box.launch import Box
from runners.box.modes import Mode
from runners.box.policy import NoWall
from runners.limits import Limits
from tests.runners.boxes import answer_of, bot, descriptors

ALLOW_ALL = bytes.fromhex("0600 0000 0000ff7f")
needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)
every_mode = pytest.mark.parametrize(
    "mode", [Mode.TEMPLATE, Mode.BWRAP, pytest.param(Mode.LANDLOCK, marks=needs_landlock)]
)
PROBES = {
    "fork": ("import os", "os.fork()"),
    "write": ("import bots_sdk", "open(bots_sdk.__file__ + '.x', 'w')"),
    "passwd": ("open('/etc/passwd')",),
    "outside": ("import socket", "socket.create_connection(('127.0.0.1', 22), 1)"),
    "signal": ("import os", "os.kill(os.getppid() or 2, 0)"),
    "other root": ("import os", "os.chroot('/lib')"),
}
every_probe = pytest.mark.parametrize("probe", PROBES)


@pytest.fixture
def held(monkeypatch, probe):
    """Whether a probe is denied, in a mode."""

    def ask(mode):
        monkeypatch.setenv("SANDBOX", mode)
        reply = answer_of(bot(*PROBES[probe], "return 'escaped'"))
        # The filter ends who asks for another root; without it the kernel says no.
        return reply.failure.code == "E307" if reply.failure else reply.message["error"] == "raised"

    return ask


@every_probe
@every_mode
def test_without_the_filters_the_other_walls_hold(monkeypatch, held, mode):
    monkeypatch.setattr(walls, "filters", lambda **_: (ALLOW_ALL, ALLOW_ALL.hex()))
    assert held(mode)


@every_probe
@every_mode
def test_without_the_limits_of_the_kernel_the_other_walls_hold(monkeypatch, held, mode):
    monkeypatch.setattr(launch, "resource_limits", lambda limits: {"RLIMIT_CPU": 1000})
    assert held(mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become another user")
@every_probe
@every_mode
def test_without_the_other_user_the_other_walls_hold(monkeypatch, held, mode):
    monkeypatch.setattr(walls, "drop_to", lambda: None)
    assert held(mode)


@needs_landlock
def test_without_landlock_all_but_reading_is_held(monkeypatch):
    a_symlink = 1 << 12
    monkeypatch.setattr(landlock, "FILES", {1: a_symlink})
    for name in ("READ_FILE", "READ_DIR"):
        monkeypatch.setattr(landlock, name, a_symlink)
    for name in ("NETWORK", "SCOPES"):
        monkeypatch.setattr(landlock, name, {})
    broken = {wall.name for wall in selftest.check(Mode.LANDLOCK) if not wall.held}
    assert broken == {"reads no file of the host", "sees no process"}


NAMESPACES = {
    "network": {"--unshare-net"},
    "ipc": {"--unshare-ipc"},
    "processes": {"--unshare-pid", "--as-pid-1"},
    "host name": {"--unshare-uts", "--hostname", "box"},
    "namespaces of its own": {"--disable-userns"},
}


@every_probe
@pytest.mark.parametrize("wall", NAMESPACES)
def test_without_one_namespace_the_other_walls_hold(monkeypatch, held, wall):
    fewer = tuple(word for word in policy.NAMESPACES if word not in NAMESPACES[wall])
    assert len(fewer) == len(policy.NAMESPACES) - len(NAMESPACES[wall])
    monkeypatch.setattr(policy, "NAMESPACES", fewer)
    assert held(Mode.BWRAP)


@every_probe
@pytest.mark.parametrize("wall", policy.FORK_NAMESPACES)
def test_without_one_namespace_of_a_fork_the_other_walls_hold(monkeypatch, held, wall):
    fewer = {name: bit for name, bit in policy.FORK_NAMESPACES.items() if name != wall}
    if wall == "users":
        # Only who makes users may make anything else.
        fewer = {}
    monkeypatch.setattr(policy, "FORK_NAMESPACES", fewer)
    assert held(Mode.TEMPLATE)


@every_probe
def test_without_a_read_only_root_the_other_walls_hold(monkeypatch, held):
    writable = {"--ro-bind": "--bind"}

    def loose(*folders, **fds):
        words = policy.bwrap_arguments(*folders, **fds)
        at = words.index("--remount-ro")
        return [writable.get(word, word) for word in [*words[:at], *words[at + 2 :]]]

    monkeypatch.setattr(walls, "bwrap_arguments", loose)
    assert held(Mode.BWRAP)


@every_mode
def test_all_canaries_are_held(mode):
    tried = selftest.check(mode)
    assert [wall for wall in tried if not wall.held] == []
    assert len(tried) == len(selftest.CANARIES) >= 10


@every_mode
def test_a_wall_that_fell_is_noticed(monkeypatch, mode):
    monkeypatch.setattr(walls, "filters", lambda **_: (ALLOW_ALL, ALLOW_ALL.hex()))
    broken = {wall.name for wall in selftest.check(mode) if not wall.held}
    assert "is ended by a forbidden call" in broken


def test_a_machine_without_bubblewrap_is_refused(monkeypatch):
    walls._find_program.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    before = descriptors()
    try:
        with pytest.raises(NoWall, match="apt-get install bubblewrap"):
            Box(Limits(), Mode.BWRAP)
        assert [wall.held for wall in selftest.check(Mode.BWRAP)] == [False]
        assert descriptors() == before
    finally:
        walls._find_program.cache_clear()


def test_a_kernel_without_landlock_is_refused(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    before = descriptors()
    with pytest.raises(NoWall, match=r"has no Landlock: use bubblewrap"):
        Box(Limits(), Mode.LANDLOCK)
    assert not selftest.comes_up(Mode.LANDLOCK)
    assert descriptors() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become another user")
def test_root_without_a_user_for_boxes_is_refused(monkeypatch):
    walls.drop_to.cache_clear()
    monkeypatch.setattr(walls, "DROP_USER", "no-such-user")
    try:
        with pytest.raises(NoWall, match=r"useradd .* no-such-user"):
            Box(Limits())
    finally:
        walls.drop_to.cache_clear()


def test_a_newer_landlock_governs_all_that_an_older_one_does():
    for table, whole in ((landlock.FILES, 0xFFFF), (landlock.NETWORK, 3), (landlock.SCOPES, 3)):
        bits = [landlock.supported_bits(table, version) for version in range(9)]
        assert bits[0] == 0
        assert bits == sorted(bits)
        assert bits[-1] == whole

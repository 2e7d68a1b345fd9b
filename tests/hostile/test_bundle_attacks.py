"""Bundles that attack: other bundles, their own files, and the walls that hold every bot.

The attacker knows what it never could: the digest of the other bundle, and where that one lies.
"""

import os
from pathlib import Path

import pytest

from runners.box import policy, selftest
from runners.box.kernel import landlock
from runners.box.launch import Box
from runners.box.modes import Mode
from runners.box.stage import stage_home
from runners.bundles.cache import open_cache
from tests.hostile.judge import BOTS, HONEST, ROOT, VERDICTS, as_bundle, head, judge
from tests.hostile.test_hostile import why_no_boxes
from tests.hostile.test_template_attacks import memory_of
from tests.runners.boxes import ask
from tests.runners.bundles.boxes import boxes_with, every_mode, move_of, placed, placed_files
from tests.runners.templates import descriptors_of, status

pytestmark = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))
SECRET = b"the other bundle's secret"


@pytest.fixture
def other():
    """Another bundle in the cache, in use."""
    return placed(HONEST, secret_txt=SECRET)


def sample():
    """A bot for every verdict, and all that try what no bot may."""
    first = {verdict: path for path in reversed(BOTS) for verdict in head(path).verdicts}
    assert set(first) == set(VERDICTS)
    names = ("own_mmap", "own_maps_log", "own_bad_bytecode", "own_import_hook", "own_numpy_memory")
    chosen = {*first.values(), *(path for path in BOTS if path.stem.startswith("denied_"))}
    return sorted(chosen | {path for path in BOTS if path.stem in names})


@pytest.mark.parametrize("path", sample(), ids=lambda path: path.stem)
@every_mode
def test_a_hostile_bot_gets_the_same_verdict_as_a_bundle(monkeypatch, mode, path):
    if mode not in head(path).modes:
        pytest.skip(f"{mode} does not promise it")
    monkeypatch.setenv("SANDBOX", mode)
    judge(path, as_bundle)


@every_mode
def test_all_canaries_are_held_as_bundles(monkeypatch, mode):
    def bundled(limits, mode):
        return Box(limits, mode, bundle=as_bundle(HONEST))

    def send(box, message, cpu_ms, wall_ms):
        if "source" in message:
            message = message | {"folder": box.bundle_folder}
        return sends(box, message, cpu_ms, wall_ms)

    sends = Box.send
    monkeypatch.setattr(selftest, "Box", bundled)
    monkeypatch.setattr(Box, "send", send)
    assert [wall for wall in selftest.check(mode) if not wall.held] == []


PROBES = """
import ctypes, mmap, os
from bots_sdk import Bot

READ, WRITE, EXECUTE, SHARED, PRIVATE = 1, 2, 4, 1, 2
FAILED = ctypes.c_void_p(-1).value
C = ctypes.CDLL(None, use_errno=True)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
C.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def maps(descriptor, protection, flags):
    place = C.mmap(None, 4096, protection, flags, descriptor, 0)
    return None if place == FAILED else place


def escaped(probes):
    names = []
    for name, attempt in probes.items():
        try:
            attempt()
        except (OSError, ValueError):
            continue
        names.append(name)
    return ", ".join(names)


class Hostile(Bot):
    def decide(self, view, options):
        own = str(self.data_path)
        own_file = f"{own}/data.bin"
"""


def probes(*lines):
    """A bundle that answers which of its attempts came through."""
    body = "\n".join(f"        {line}" for line in lines)
    return placed_files({"bot.py": f"{PROBES}{body}\n", "data.bin": b"x" * 8192})


READS = (
    "probes = {}",
    "for path in options:",
    "    probes[f'open {path}'] = lambda path=path: open(path, 'rb').close()",
    "    probes[f'list {path}'] = lambda path=path: os.listdir(path)",
    "    probes[f'walk {path}'] = lambda path=path: os.scandir(path)",
    "    probes[f'link {path}'] = lambda path=path: os.symlink(path, f'{own}/link')",
    "    probes[f'map {path}'] = lambda path=path: mmap.mmap(os.open(path, 0), 0)",
    "return escaped(probes)",
)
LOOKS = ("return escaped({path: lambda path=path: os.stat(path) for path in options})",)


def places(other):
    """Where the other bundle is or might be, by its digest and by its real name."""
    home, name = open_cache().home, other.folder.name
    blobs = [str(path) for path in list((home / "blobs").iterdir())[:3]]
    names = [name, other.digest, other.digest[:32]]
    folders = ["/bundles", "/bot/../bundles", "/bot/..", str(home / "trees"), f"{own_parent()}"]
    paths = [f"{folder}/{name}" for folder in folders for name in names]
    files = [f"{path}/secret.txt" for path in paths]
    return [*paths, *files, *blobs, str(home), str(home / "key"), str(home / "trees")]


def own_parent():
    return open_cache().home / "blobs" / ".." / "trees"


@every_mode
def test_a_bundle_opens_no_other_bundle_even_if_it_knows_where_that_is(monkeypatch, mode, other):
    monkeypatch.setenv("SANDBOX", mode)
    assert move_of(probes(*READS), options=places(other)) == ""


@every_mode
def test_a_bundle_cannot_tell_whether_a_digest_is_there(monkeypatch, mode, other):
    monkeypatch.setenv("SANDBOX", mode)
    known = places(other)
    if mode is Mode.LANDLOCK:
        # Whether a path exists is no secret there, so no path follows from a digest.
        known = [path for path in known if other.digest[:32] in path]
    assert move_of(probes(*LOOKS), options=known) == ""


@pytest.mark.parametrize("kept", ["mounts", "landlock"])
def test_one_wall_alone_keeps_bundles_apart(monkeypatch, kept, other):
    if kept == "mounts":
        monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE if kept == "mounts" else Mode.LANDLOCK)
    assert move_of(probes(*READS), options=places(other)) == ""


@pytest.mark.parametrize("mode", [Mode.TEMPLATE, Mode.BWRAP])
def test_what_a_bundle_sees_of_the_world_is_itself(monkeypatch, mode, other):
    monkeypatch.setenv("SANDBOX", mode)
    code = probes(
        "paths = ('/', '/bundles', own, '/bot/..')",
        "return ' '.join(repr(sorted(os.listdir(path))) for path in paths)",
    )
    root = ["bot", "bundles", "empty", "karat", "lib", "lib64", "py"]
    assert move_of(code) == f"{root} [] ['bot.py', 'data.bin'] {root}"


WRITES = (
    "flags = (os.O_RDWR, os.O_WRONLY, os.O_RDONLY | os.O_TRUNC, os.O_RDONLY | os.O_APPEND)",
    "probes = {str(flag): lambda flag=flag: os.open(own_file, flag) for flag in flags}",
    "fd, folder = os.open(own_file, 0), os.open(own, 0)",
    "return escaped(probes | {",
    "    'create': lambda: os.open(f'{own}/new', os.O_CREAT | os.O_WRONLY),",
    "    'nameless': lambda: os.open(own, os.O_TMPFILE | os.O_RDWR),",
    "    'folder': lambda: os.mkdir(f'{own}/new'),",
    "    'link': lambda: os.link(own_file, f'{own}/new'),",
    "    'symlink': lambda: os.symlink('/', f'{own}/new'),",
    "    'fifo': lambda: os.mkfifo(f'{own}/new'),",
    "    'rename': lambda: os.rename(own_file, f'{own}/new'),",
    "    'replace': lambda: os.replace(f'{own}/bot.py', own_file),",
    "    'remove': lambda: os.unlink(own_file),",
    "    'rights': lambda: os.chmod(own_file, 0o777),",
    "    'rights of a descriptor': lambda: os.fchmod(fd, 0o777),",
    "    'owner': lambda: os.chown(own_file, 0, 0),",
    "    'time': lambda: os.utime(own_file),",
    "    'attribute': lambda: os.setxattr(own_file, 'user.x', b'x'),",
    "    'length': lambda: os.truncate(own_file, 0),",
    "    'length of a descriptor': lambda: os.ftruncate(fd, 0),",
    "    'write': lambda: os.write(fd, b'x'),",
    "    'write there': lambda: os.pwrite(fd, b'x', 0),",
    "    'copy': lambda: os.copy_file_range(fd, fd, 10, 0, 4096),",
    "    'below a descriptor': lambda: os.open('new', os.O_CREAT | os.O_RDWR, dir_fd=folder),",
    "    'again': lambda: os.open(f'/proc/self/fd/{fd}', os.O_RDWR),",
    "    'again by number': lambda: os.open(f'/dev/fd/{fd}', os.O_RDWR),",
    "    'go there': lambda: os.fchdir(folder),",
    "})",
)


@every_mode
def test_a_bundle_writes_nothing_into_its_folder(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    code = probes(*WRITES)
    assert move_of(code) == ""
    assert sorted(path.name for path in code.folder.iterdir()) == ["bot.py", "data.bin"]
    assert (code.folder / "data.bin").read_bytes() == b"x" * 8192


MAPPINGS = (
    "fd, done = os.open(own_file, 0), []",
    "for protection in (WRITE, READ | WRITE, EXECUTE, READ | EXECUTE):",
    "    if maps(fd, protection, SHARED): done.append(f'shared {protection}')",
    "for protection in (EXECUTE, READ | EXECUTE, WRITE | EXECUTE, 7):",
    "    for one in (fd, -1):",
    "        flags = PRIVATE | (0x20 if one < 0 else 0)",
    "        if maps(one, protection, flags): done.append(f'private {one} {protection}')",
    "for flags in (SHARED, PRIVATE):",
    "    place = maps(fd, READ, flags)",
    "    if not C.mprotect(place, 4096, READ | EXECUTE): done.append(f'late {flags}')",
    "    if not C.mprotect(place, 4096, READ | WRITE) and flags == SHARED: done.append('unlocked')",
    "return ', '.join(done)",
)


@every_mode
def test_a_data_file_is_mapped_neither_to_be_changed_nor_to_be_run(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    assert move_of(probes(*MAPPINGS)) == ""


CHANGES = (
    "self.fd = getattr(self, 'fd', None) or os.open(own_file, 0)",
    "place = maps(self.fd, READ | WRITE, PRIVATE)",
    "if options[0] == 'change': ctypes.memset(place, 0x79, 4096)",
    "return (ctypes.string_at(place, 2) + os.pread(self.fd, 2, 0)).decode()",
)


@every_mode
def test_a_page_that_is_changed_is_changed_for_nobody_else(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    code = probes(*CHANGES)
    with boxes_with(code, code) as [one, two]:
        moves = [
            ask(box, number, options=[word]).message["move"]
            for box, number, word in ((one, 1, "change"), (two, 1, "look"), (one, 2, "look"))
        ]
    assert moves == ["yyxx", "xxxx", "xxxx"]


OWN = """
import os
from bots_sdk import Bot


class Reads(Bot):
    def decide(self, view, options):
        return f"{sorted(os.listdir(self.data_path))} {self.open_data('own.txt').read()}"
"""


@every_mode
def test_two_bundles_at_one_table_see_their_own_files_only(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    codes = [placed(OWN, own_txt=name, **{f"{name}_txt": ""}) for name in ("agate", "beryl")]
    with boxes_with(*codes) as boxes:
        moves = [ask(box).message["move"] for box in boxes]
    assert moves == [
        f"['{name}.txt', 'bot.py', 'own.txt'] b'{name}'" for name in ("agate", "beryl")
    ]


def test_a_fork_sees_its_bundle_and_a_cover_over_the_others(monkeypatch, other):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)
    with boxes_with(other, HONEST) as [box, single]:
        lines = Path(f"/proc/{box.pid}/mountinfo").read_text().splitlines()
        mounts = [line.split() for line in lines]
        places = [mount[4] for mount in mounts]
        assert places == [
            "/",
            policy.KARAT_HOME,
            policy.BUNDLES,
            policy.BUNDLE_HOME,
            policy.BUNDLES,
        ]
        assert mounts[3][3].endswith(other.folder.name)
        assert mounts[4][3].endswith(policy.NOTHING)
        for mount in mounts:
            assert {"ro", "nosuid", "nodev"} <= set(mount[5].split(","))
        assert "noexec" in mounts[3][5]
        # The boxes of single files have no bundle in sight.
        assert "bundles" not in Path(f"/proc/{single.pid}/mountinfo").read_text()


def test_a_fork_of_a_bundle_has_no_right_and_no_descriptor_more(monkeypatch, other):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)
    with boxes_with(other) as [box]:
        facts = status(box.pid)
        assert {facts[f"Cap{name}"] for name in ("Eff", "Prm", "Bnd", "Inh", "Amb")} == {"0" * 16}
        assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
        assert sorted(descriptors_of(box.pid)) == [0, 1, 2, 3]


def test_the_memory_of_a_box_knows_no_path_of_the_host_and_no_other_bundle(monkeypatch, other):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)
    with boxes_with(other, placed(HONEST, own_txt=b"own")) as [sibling, box]:
        ask(sibling)
        ask(box)
        secrets = [SECRET, bytes(stage_home()), bytes(ROOT), other.folder.name.encode()]
        seen = {secret for piece in memory_of(box.pid) for secret in secrets if secret in piece}
    assert seen == set()


def test_files_in_the_cache_are_for_the_user_of_boxes_and_nobody_else(other):
    home = open_cache().home
    for path in (home, home / "trees", home / "blobs", *other.folder.rglob("*"), other.folder):
        assert path.stat().st_mode & 0o007 == 0, path
        assert path.stat().st_uid == os.geteuid()
        assert not path.is_symlink()

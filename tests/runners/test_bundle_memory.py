"""The private memory of a bundle: the same however large its data is, by every way to get some."""

import pytest

from tests.hostile.test_hostile import why_no_boxes
from tests.runners.bundles.boxes import every_mode, move_of, placed

pytestmark = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))
MIB = 1 << 20
PIECE = MIB // 4
STACK = 8 * MIB


def data(mib):
    """A data file that all tests share, and so all runs: the cache of the host has it once."""
    return bytes([mib]) * (mib * MIB)


TAKES = """
import ctypes
from bots_sdk import Bot

PIECE, FAILED = 1 << 18, ctypes.c_void_p(-1).value
READ, BOTH, SHARED, PRIVATE, GROWS, ANONYMOUS, HUGE = 1, 3, 1, 2, 0x100, 0x20, 0x40000
C = ctypes.CDLL(None, use_errno=True)
C.mmap.restype = C.mremap.restype = C.sbrk.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
C.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
C.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
C.sbrk.argtypes = [ctypes.c_long]


def times(attempt):
    count = 0
    while attempt() and count < 1 << 14:
        count += 1
    return count


def maps(protection, flags, size=PIECE):
    place = C.mmap(None, size, protection, flags, -1, 0)
    return 0 if place == FAILED else place


def unlocks(place):
    return place and C.mprotect(place, PIECE, BOTH) == 0


def locks(place):
    return place and C.mprotect(place, PIECE, READ) == 0


def objects():
    kept = []
    try:
        while True:
            kept.append(bytearray(PIECE))
    except MemoryError:
        return len(kept)


def grows():
    size, place = 4096, maps(BOTH, PRIVATE | ANONYMOUS, 4096)

    def more():
        nonlocal size, place
        moved = C.mremap(place, size, size + PIECE, 1)
        if moved == FAILED:
            return False
        place, size = moved, size + PIECE
        return True

    return times(more)


def everything():
    taken = times(lambda: maps(BOTH, PRIVATE | ANONYMOUS))
    for kind in (SHARED, PRIVATE | GROWS, SHARED | 2):
        taken += times(lambda: maps(BOTH, kind | ANONYMOUS))
    return taken + times(lambda: C.sbrk(PIECE) != FAILED)


WAYS = {
    "objects": objects,
    "private": lambda: times(lambda: maps(BOTH, PRIVATE | ANONYMOUS)),
    "unlocked": lambda: times(lambda: unlocks(maps(READ, PRIVATE | ANONYMOUS))),
    "locked again": lambda: times(lambda: locks(maps(BOTH, PRIVATE | ANONYMOUS))),
    "brk": lambda: times(lambda: C.sbrk(PIECE) != FAILED),
    "mremap": grows,
    "shared": lambda: times(lambda: maps(BOTH, SHARED | ANONYMOUS)),
    "shared, checked": lambda: times(lambda: maps(BOTH, SHARED | PRIVATE | ANONYMOUS)),
    "a second stack": lambda: times(lambda: maps(BOTH, PRIVATE | ANONYMOUS | GROWS)),
    "everything": everything,
}


class Takes(Bot):
    def decide(self, view, options):
        return str(WAYS[options[0]]() * PIECE)
"""
CLOSED = ("locked again", "shared", "shared, checked", "a second stack")
WAYS = ("objects", "private", "unlocked", "brk", "mremap", *CLOSED, "everything")


@pytest.mark.parametrize("way", WAYS)
@every_mode
def test_private_memory_does_not_grow_with_the_data(monkeypatch, mode, way):
    monkeypatch.setenv("SANDBOX", mode)
    small, large = (placed(TAKES, data_bin=data(mib)) for mib in (1, 48))
    with_file, with_little, with_much = (
        int(move_of(code, options=[way])) for code in (TAKES, small, large)
    )
    assert abs(with_much - with_little) <= 2 * MIB
    if way in CLOSED:
        assert with_much == 0
    else:
        # The stack may grow by 8 MiB besides; of a single file it is a part of its memory.
        assert with_file - STACK - 3 * MIB <= with_much <= with_file - STACK + MIB


DATA_TAKES = TAKES.replace(
    "WAYS = {",
    """def of_the_file(protection, flags):
    with open(BOT_FILE, "rb") as file:
        def one():
            place = C.mmap(None, PIECE, protection, flags, file.fileno(), 0)
            return 0 if place == FAILED else place
        if protection == READ:
            return times(lambda: unlocks(one()))
        return times(one)


import bot
BOT_FILE = bot.__file__.replace("bot.py", "data.bin")
WAYS = {
    "written": lambda: of_the_file(BOTH, PRIVATE),
    "unlocked later": lambda: of_the_file(READ, PRIVATE),
    "shared file": lambda: of_the_file(BOTH, SHARED),
""",
)


@pytest.mark.parametrize("way", ["written", "unlocked later", "shared file"])
@every_mode
def test_pages_of_a_data_file_that_are_written_to_count_as_private(monkeypatch, mode, way):
    monkeypatch.setenv("SANDBOX", mode)
    small, large = (placed(DATA_TAKES, data_bin=data(mib)) for mib in (1, 48))
    private = int(move_of(large, options=["private"]))
    taken = [int(move_of(code, options=[way])) for code in (small, large)]
    assert max(taken) <= private + MIB
    assert abs(taken[0] - taken[1]) <= 2 * MIB
    assert (max(taken) == 0) is (way == "shared file")


STACK_USER = TAKES.replace(
    "return str(WAYS[options[0]]() * PIECE)",
    """taken = everything() * PIECE
        end = ctypes.c_void_p.in_dll(C, "__libc_stack_end").value
        for depth in range(0, int(options[0]), 4096):
            ctypes.memset(end - depth, ctypes.string_at(end - depth, 1)[0], 1)
        return str(taken)""",
)


@every_mode
def test_the_stack_of_a_bundle_ends_where_that_of_a_file_does(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    code = placed(STACK_USER, data_bin=data(48))
    assert int(move_of(code, options=[str(STACK - MIB)])) > 0
    with pytest.raises(AssertionError, match="signal 11"):
        move_of(code, options=[str(STACK + MIB)])


@every_mode
def test_all_data_can_be_mapped_on_top_of_the_private_memory(monkeypatch, mode):
    monkeypatch.setenv("SANDBOX", mode)
    source = TAKES.replace(
        "        return str(WAYS",
        """        import mmap
        maps(BOTH, PRIVATE | ANONYMOUS, 160 << 20)
        self.files = [self.open_data(name) for name in ("one.bin", "two.bin")]
        self.maps = [mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) for file in self.files]
        return str(sum(map(len, self.maps)))
        return str(WAYS""",
    )
    code = placed(source, one_bin=data(48) + b"x", two_bin=data(12))
    assert move_of(code) == str(60 * MIB + 1)

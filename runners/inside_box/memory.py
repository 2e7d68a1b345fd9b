"""The memory of a bundle: its data may be mapped on top, and nothing else grows with that.

Address space is what limits a single file. A bundle has more of it, so its private memory has a
limit of its own (RLIMIT_DATA), and what that does not count is closed by the second filter.
"""

import _ctypes
import mmap
import posix
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = ("pathlib", "importlib.resources", "importlib.readers", "linecache")
"""What `Bot.data_path`, resources and tracebacks need: a bundle cannot replace it."""
PAGE = mmap.PAGESIZE
SPACE, PRIVATE, STACK = "RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_STACK"
DATA_BYTES = "data"
"""The word of an order that says how much a bundle may map."""
MAX_BYTES = 1 << 44
RTLD_NOW = 2
LEFT_OUT = ("_curses", "_sqlite3", "_tkinter", "nis", "ossaudiodev", "readline", "xx")
"""What begins like this is useless in a box and needs libraries of its own."""
NUMPY_FOLDERS = ("fft", "linalg", "random")


class Memory:
    """What a process had mapped before it got ready for bundles, and what it has now."""

    def __init__(self) -> None:
        """Measure, load what bundles need and may import later, and measure again.

        Libraries are opened now because a bundle may make nothing executable: neither a library
        of the interpreter nor, and that is the point, a file of its own.
        """
        before = used_bytes(SPACE)
        for name in MODULES:
            __import__(name)
        open_libraries()
        self.space = used_bytes(SPACE)
        self.private = used_bytes(PRIVATE)
        self.overhead = self.space - before

    def limits(self, words: "list[str]") -> "list[str]":
        """Return the limits of an order, with those of memory as they are for a bundle.

        The private memory that can be had is that of a single file in the same place, whatever
        the size of the data. The stack is a part of it that RLIMIT_DATA does not count.
        """
        values = dict(word.split("=") for word in words)
        data = int(values.pop(DATA_BYTES))
        if SPACE in values:
            space = int(values[SPACE]) + self.overhead
            stack = int(values.get(STACK, 0))
            values[SPACE] = str(space + data)
            values[PRIVATE] = str(self.private + space - self.space - stack)
        return [f"{name}={value}" for name, value in values.items()]


def used_bytes(limit: str) -> int:
    """Return what counts towards a limit of memory: with less than that no page can be had.

    A box has no /proc to read it from, so the limit itself is tried out.
    """
    number = getattr(resource, limit)
    soft, hard = resource.getrlimit(number)
    low, high = 0, MAX_BYTES if hard == resource.RLIM_INFINITY else min(hard, MAX_BYTES)
    try:
        while high - low > PAGE:
            middle = (low + high) // 2
            resource.setrlimit(number, (middle, hard))
            low, high = (low, middle) if has_a_page() else (middle, high)
    finally:
        resource.setrlimit(number, (soft, hard))
    return low


def has_a_page() -> bool:
    """Return whether one more page of private memory can be had."""
    try:
        mmap.mmap(-1, PAGE, flags=mmap.MAP_PRIVATE).close()
    except (OSError, MemoryError):
        return False
    return True


def open_libraries() -> None:
    """Open what the standard library and numpy may import later."""
    for path in library_paths():
        try:
            _ctypes.dlopen(path, RTLD_NOW)
        except OSError:
            # A part of the installation that does not work here; nobody can import it.
            continue


def library_paths() -> "Iterator[str]":
    """Yield the extension modules of the interpreter and, where it is loaded, of numpy."""
    folders = [path for path in sys.path if path.endswith("/lib-dynload")]
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        folders += [f"{numpy.__path__[0]}/{name}" for name in NUMPY_FOLDERS]
    for folder in folders:
        for name in sorted(posix.listdir(folder)):
            useful = name.endswith(".so") and not name.startswith(LEFT_OUT) and "test" not in name
            if useful:
                yield f"{folder}/{name}"

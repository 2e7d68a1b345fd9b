"""Work on an untrusted text in a child that can be killed: limited in CPU, memory and time.

For work that runs nothing of the text but may take for ever over it, such as parsing. Whatever
is to be *run* belongs in a box.
"""

import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import IO

from runners.failures import InfrastructureError

MAX_CHILDREN = 2
"""At the same time, of one process."""
QUEUE_SECONDS = 10.0
"""How long somebody waits for a place."""
_OUT_OF_MEMORY = 3
_CRASHES, _OUT_OF_TIME = (
    # Not every system has all of them.
    {-getattr(signal, name) for name in names if hasattr(signal, name)}
    for names in (("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL"), ("SIGXCPU",))
)

# Runs `answer` of a module. The limits are in force before a byte of the text is read. On other
# systems than Linux authors read their own files, and the kernel may not know all of these limits.
_START = f"""
import sys
from importlib import import_module
module, cpu, memory, result, *folders = sys.argv[1:]
try:
    from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, setrlimit
    setrlimit(RLIMIT_FSIZE, (int(result) << 20, int(result) << 20))
    setrlimit(RLIMIT_CORE, (0, 0))
    setrlimit(RLIMIT_CPU, (int(cpu), int(cpu) + 1))
    setrlimit(RLIMIT_AS, (int(memory) << 20, int(memory) << 20))
except (ImportError, ValueError):
    if sys.platform == "linux":
        raise
sys.path += folders
try:
    sys.stdout.buffer.write(import_module(module).answer(sys.stdin.buffer.read()))
except MemoryError:
    sys.exit({_OUT_OF_MEMORY})
"""

_places = BoundedSemaphore(MAX_CHILDREN)


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What a child may use up. Whole seconds of CPU, as the kernel counts them."""

    cpu_seconds: int = 2
    memory_mib: int = 384
    wall_seconds: float = 30.0
    """Only a machine that is too busy takes this long; it is never the fault of the text."""
    result_mib: int = 8
    """What it may return: the parent keeps all of it in memory."""


DEFAULT = ChildLimits()


class TooExpensive(Exception):
    """The child reached a limit, or the text broke the interpreter. Says which in a sentence."""


class NoPlace(InfrastructureError):
    """Too many children at the moment."""


def run(
    module: str,
    data: bytes,
    *,
    folders: Sequence[str],
    limits: ChildLimits = DEFAULT,
) -> bytes:
    """Return what `answer(data)` of the module returns, called in a child of its own.

    `folders` are where it finds modules besides the standard library.
    """
    if not _places.acquire(timeout=QUEUE_SECONDS):
        raise NoPlace("too many files are being read at the moment")
    try:
        return _run(module, data, folders, limits)
    finally:
        _places.release()


def _run(module: str, data: bytes, folders: Sequence[str], limits: ChildLimits) -> bytes:
    numbers = (str(limits.cpu_seconds), str(limits.memory_mib), str(limits.result_mib))
    program = [sys.executable, "-I", "-S", "-W", "ignore", "-c", _START, module, *numbers, *folders]
    # The kernel limits what a child writes to a file, and not what it writes to a pipe.
    with TemporaryFile() as result, TemporaryFile() as errors:
        try:
            child = subprocess.run(
                program,
                input=data,
                stdout=result,
                stderr=errors,
                timeout=limits.wall_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise InfrastructureError(
                f"{module} had no answer in {limits.wall_seconds:.0f} s"
            ) from None
        if child.returncode == 0:
            return _content(result)
        raise _failure(module, child.returncode, _content(errors), limits)


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _failure(module: str, status: int, errors: bytes, limits: ChildLimits) -> Exception:
    """Return what the status of a child that did not answer means."""
    if status in _OUT_OF_TIME:
        return TooExpensive(f"Reading it takes more than {limits.cpu_seconds} s of computing time")
    if status == _OUT_OF_MEMORY:
        return TooExpensive(f"Reading it takes more than {limits.memory_mib} MB of memory")
    if status in _CRASHES:
        return TooExpensive("Python itself breaks when it reads the file")
    text = errors.decode(errors="replace")[-500:]
    return InfrastructureError(f"{module} ended with {status}: {text}")

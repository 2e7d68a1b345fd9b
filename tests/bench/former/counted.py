"""CPU time of a command and of everything it starts, by the kernel's final numbers.

The kernel adds up the times of children once they are waited for. A process whose parent has gone
would be waited for by init, and its time lost; so each command runs under a process of ours that
inherits such orphans and waits for all of them. `python -m tests.bench.former.counted` is that
process; `run` starts it.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests import programs
from tests.bench.former.checkout import ROOT

PR_SET_CHILD_SUBREAPER = 36
ORPHAN_SECONDS = 10.0
"""How long processes may outlive the command that started them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a command took, and what it printed."""

    cpu_seconds: float
    wall_seconds: float
    output: str


class CommandFailed(Exception):
    """A measured command failed, so that its times mean nothing."""


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    timeout: float = 600,
    orphan_seconds: float = ORPHAN_SECONDS,
) -> Usage:
    """Run a command to its end and to that of all it started."""
    with tempfile.TemporaryFile("w+") as report:
        order = {
            "command": [str(part) for part in command],
            "env": dict(os.environ if env is None else env),
            "cwd": str(cwd),
            "orphan_seconds": orphan_seconds,
        }
        with programs.running(
            [sys.executable, "-m", "tests.bench.former.counted", str(report.fileno())],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[report.fileno()],
        ) as wrapper:
            try:
                output, errors = wrapper.communicate(json.dumps(order), timeout)
            finally:
                # A wrapper that is still there is given the time to end all that it waits for.
                programs.end(wrapper)
        if wrapper.returncode:
            raise CommandFailed(f"{' '.join(map(str, command))}\n{errors.strip()}")
        report.seek(0)
        times = json.load(report)
    return Usage(times["cpu_seconds"], times["wall_seconds"], output)


def main(report: int) -> int:
    """Run the command that comes by the standard input; write its times to a descriptor."""
    order = json.load(sys.stdin)
    _inherit_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        started_at = time.perf_counter()
        process = programs.start(
            order["command"], env=order["env"], cwd=order["cwd"], stdin=subprocess.DEVNULL
        )
        status: int = process.wait()
        wall_seconds = time.perf_counter() - started_at
        if not _wait_for_orphans(time.monotonic() + order["orphan_seconds"]):
            print("processes outlived the command", file=sys.stderr)
            return 1
    finally:
        _end_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    times = {"cpu_seconds": used.ru_utime + used.ru_stime, "wall_seconds": wall_seconds}
    os.write(report, json.dumps(times).encode())
    return status


def _inherit_orphans() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "orphans cannot be inherited")


def _wait_for_orphans(deadline: float) -> bool:
    """Wait for everything that was left behind; return whether it ended in time."""
    while time.monotonic() < deadline:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if not pid:
            time.sleep(0.01)
    return False


def _end_all() -> None:
    """End every process below this one: the children of each that ends come to this one."""
    while children := _children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))

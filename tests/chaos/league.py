"""One run: a league is set up, broken for a while, left to settle and examined."""

import os
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests import servers
from tests.chaos import checks
from tests.chaos.monkey import Monkey
from tests.chaos.players import SEED
from tests.league.home import Home

SMALL_DISK = "size=96m"
SETTLE_SECONDS = 240


def run(*, server, seconds, seed, say):
    """What was done, what was played, and what did not hold."""
    with ExitStack() as stack:
        addresses, postgres, redis = {}, None, None
        if server:
            postgres = stack.enter_context(servers.running(servers.Postgres))
            redis = stack.enter_context(servers.running(servers.Redis))
            addresses = {"DATABASE_URL": postgres.address, "REDIS_URL": redis.address}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="karat-chaos-")))
        if not server:
            _mount_small_disk(folder, stack)
        home = Home(folder, addresses)
        stack.callback(home.end)
        home.create()
        home.env["LADDER_QUEUE"] = "3"
        home.python(SEED)
        monkey = Monkey(home, seed, postgres, redis)
        monkey.start_all()
        say(f"a league of real processes is running; breaking it for {seconds} s (seed {seed})")
        monkey.run(seconds)
        monkey.calm()
        say("nothing breaks any more; waiting until all that was begun is over")
        # The ladder makes no new matches, so that the queue can become empty.
        home.python("Entry.objects.update(left_at='2026-01-01T00:00:00Z')")
        home.wait(checks.LET_LEASES_LAPSE + checks.SETTLED, SETTLE_SECONDS)
        home.end()
        played, wrong = checks.complaints(home)
        wrong += _left_over(home)
        return monkey.done, played, wrong


def _mount_small_disk(folder, stack):
    """A disk that can be filled; only root may mount one."""
    command = ["mount", "-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", folder]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        stack.callback(subprocess.run, ["umount", "-l", folder], check=False)


def _left_over(home):
    """Processes of this league that should be gone."""
    left = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if f"KARAT_VAR={home.folder}".encode() in environment:
            left.append(f"process {entry.name} is left over: {(entry / 'cmdline').read_text()}")
            os.kill(int(entry.name), signal.SIGKILL)
    return left

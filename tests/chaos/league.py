"""One run: a league is set up, broken for a while, left to settle and examined."""

import os
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests import servers
from tests.chaos import checks, disk
from tests.chaos.flood import Flood
from tests.chaos.monkey import Monkey
from tests.chaos.players import SEED
from tests.chaos.visitors import Visitors
from tests.league.home import Home, free_port

DISK_MEGABYTES = 400
SETTLE_SECONDS = 240


def run(*, server, seconds, seed, say):
    """What was done and seen, what was played, and what did not hold."""
    with ExitStack() as stack:
        small_disk = stack.enter_context(disk.small(DISK_MEGABYTES))
        addresses, postgres, redis = {}, None, None
        folder = small_disk
        if server:
            postgres = stack.enter_context(servers.running(servers.Postgres, inside=small_disk))
            redis = stack.enter_context(servers.running(servers.Redis))
            addresses = {"DATABASE_URL": postgres.address, "REDIS_URL": redis.address}
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="karat-chaos-")))
        home = Home(folder, addresses)
        stack.callback(home.end)
        home.create()
        # A ladder whose bots are settled would rest, and nothing could be broken; checks are short,
        # so that a flood of slow ones is over soon.
        home.env |= {
            "LADDER_QUEUE": "3",
            "LADDER_TRICKLE_SECONDS": "1",
            "BOT_CHECK_WALL_MS": "15000",
        }
        visitors_key, flooders_key = home.python(SEED)
        monkey = Monkey(home, free_port(), seed, small_disk, postgres, redis)
        visitors = Visitors(monkey.port, visitors_key)
        flood = Flood(visitors.address, flooders_key)
        monkey.start_all()
        visitors.start()
        flood.start()
        say(f"a league of real processes is running; breaking it for {seconds} s (seed {seed})")
        try:
            monkey.run(seconds)
            monkey.calm()
        finally:
            visitors.leave()
            flood.leave()
        say("nothing breaks any more; waiting until all that was begun is over")
        home.python(checks.CLOSE_THE_LADDER + checks.LET_LEASES_LAPSE)
        home.wait(checks.SETTLED, SETTLE_SECONDS)
        wrong = [*visitors.complaints(), *flood.complaints()]
        home.stop()
        played, lost = checks.complaints(home, visitors.promised)
        home.end()
        seen = visitors.seen + flood.seen
        return monkey.done + seen, played, [*wrong, *lost, *_left_over(home)]


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

"""What a settled league costs while nobody watches: CPU time of every process over a while.

`python -m tests.bench.idle [seconds]` prints shares of one core on both stacks, once with ladders
that rest entirely and once at the pace that a settled ladder has by default: what bots think is no
cost of waiting. The servers of a stack are listed as well, because what our processes ask of
them is part of the cost.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.league.home import STACKS, free_port, new_league

SECONDS = 180
"""As long as the default pause between two matches of a ladder."""
WARM_UP_SECONDS = 25
MAX_SHARE = 0.01
NEVER_SECONDS = 10**6
PACES = {"no matches": NEVER_SECONDS, "a match per ladder every three minutes": 180}
"""The time between matches of a ladder on which all bots are settled."""
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SERVERS = ("postgres", "redis-server")
PARTS = ("worker", "control", "uvicorn", *SERVERS)
SETTLED = """
ladder.ensure()
house_bots.seed()
while lease := checks.claim("bench"):
    checks.run(lease)
ladder.enrol()
for rank, row in enumerate(LadderRating.objects.order_by("ladder", "pk")):
    LadderRating.objects.filter(pk=row.pk).update(mu=10 + 3 * (rank % 10), sigma=0.7, matches=500)
"""


def used_seconds():
    """CPU seconds so far, by part of the league: its processes, and their children that ended."""
    stats = dict(_stats())
    used = dict.fromkeys(PARTS, 0.0)
    for pid, (_, seconds) in stats.items():
        if part := _part(pid, stats):
            used[part] += seconds
    return used


def _stats():
    """The parent of every process of the machine, and the CPU seconds it used."""
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            pid = int(folder.name)
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            ticks = sum(int(field) for field in fields[11:15])
            yield pid, (int(fields[1]), ticks / TICKS_PER_SECOND)


def _part(pid, stats):
    """The part that a process belongs to: what this process started, with all descendants."""
    while pid in stats and stats[pid][0] != os.getpid():
        pid = stats[pid][0]
    if pid not in stats:
        return None
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        return next((part for part in PARTS if part in {*words, Path(words[0]).name}), None)


def measure(home, seconds):
    """The share of a core that each part uses, of a league at rest."""
    home.python(SETTLED)
    home.start_web(free_port())
    home.start("control")
    home.start("worker", "--processes", "2")
    home.wait("tell(Worker.objects.filter(sandbox_ok=True).exists())")
    time.sleep(WARM_UP_SECONDS)
    before, begun = used_seconds(), time.monotonic()
    time.sleep(seconds)
    after, elapsed = used_seconds(), time.monotonic() - begun
    return {part: (after[part] - before[part]) / elapsed for part in PARTS}


def main():
    """Print both stacks."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    for name, server in STACKS.items():
        for pace, pause_seconds in PACES.items():
            with new_league(server=server) as home:
                home.env["LADDER_TRICKLE_SECONDS"] = str(pause_seconds)
                shares = measure(home, seconds)
            print(f"{name}, {pace}, {seconds:.0f} s: {_told(shares)}", flush=True)


def _told(shares):
    """Say what each part used, and all of the league together."""
    own = sum(share for part, share in shares.items() if part not in SERVERS)
    parts = ", ".join(f"{part} {share:.2%}" for part, share in shares.items() if share)
    return f"{own:.2%} of a core (at most {MAX_SHARE:.0%} is asked for): {parts}"


if __name__ == "__main__":
    main()

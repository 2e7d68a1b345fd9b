"""The whole pipeline of the league beside bare boxed matches: queue, box, store, rate.

`python -m tests.bench.league` prints shares of what bare boxes reach in the same run.
"""

import os
import statistics
import subprocess
import sys

from tests.league.home import ROOT, STACKS, new_league

MATCHES = 150
ALONE = 30
PLAYERS = """
source = '''from bots_sdk import Bot


class Any(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
'''
ladder.ensure()
players = [factories.make_bot(name=f"Player {n}") for n in range(3)]
for n, bot in enumerate(players):
    factories.make_version(bot, source + f"# {n}\\n", games=["basari"])
Entry.objects.update(left_at="2026-01-01T00:00:00Z")
"""
SEATED = """
players = list(Bot.objects.select_related("active").order_by("pk"))
Bot.objects.update(enters=False)
"""
WAITS = """
import time
from django.db import transaction

waits, queued = [], []
for _ in range({count}):
    with transaction.atomic():
        transaction.on_commit(lambda: queued.append(time.time()))
        one = matches.make("basari", [bot.active for bot in players], "challenge")
    while one.status != "finished":
        time.sleep(0.05)
        one.refresh_from_db()
    waits.append((one.started_at.timestamp() - queued[-1]) * 1000)
tell(waits)
"""
BARE = """
import sys, time
from engine.registry import GAMES
from runners import match
from runners.box.pool import Pool
from runners.boxed import boxed_players
source = '''from bots_sdk import Bot


class Any(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
'''
count = int(sys.argv[1])
with Pool(3) as pool:
    for n in range(count + 5):
        if n == 5:
            begun = time.perf_counter()
        with boxed_players([source] * 3, f"bare {n}", pool=pool) as players:
            pool.fill()
            match.play(GAMES["basari"], players, f"bare {n}", recorded=True)
    print(time.perf_counter() - begun)
"""


def bare(processes):
    """Boxed matches a second without any league, in so many processes at once."""
    each = MATCHES // 3 // processes
    together = [
        subprocess.Popen(
            [sys.executable, "-c", BARE, str(each)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for _ in range(processes)
    ]
    return sum(each / float(process.communicate()[0]) for process in together)


def pipeline(home, processes):
    """Matches a second through queue, box, store and ratings."""
    home.python(
        SEATED + f"for n in range({MATCHES}):\n"
        "    versions = [b.active for b in players]\n"
        "    matches.make('basari', versions, 'ladder', rated=True, wake_workers=False)"
    )
    parts = [home.start("worker", "--processes", str(processes)), home.start("control")]
    # Looking often would take time from those who play.
    home.wait(
        "tell(not Match.objects.filter(rated=True, ledger_position=None).exists())", 300, pause=2
    )
    seconds = home.python(
        "done = Match.objects.filter(status='finished').order_by('-pk')"
        f"[:{MATCHES}].values_list('started_at', 'finished_at')\n"
        "tell((max(f for _, f in done) - min(s for s, _ in done)).total_seconds())"
    )
    latency = _alone(home)
    for part in parts:
        part.terminate()
        part.wait(60)
    return MATCHES / seconds, latency


def _alone(home):
    """How long a match is in the queue when nothing else is, in ms; the median."""
    return statistics.median(home.python(SEATED + WAITS.format(count=ALONE)))


def compared(home, processes):
    """The pipeline between two runs of bare boxes, so that noise of the machine hits both alike."""
    before = bare(processes)
    rate, latency = pipeline(home, processes)
    return rate, (before + bare(processes)) / 2, latency


def main():
    """Print both stacks beside bare boxes, with one and with two processes that play."""
    for name, server in STACKS.items():
        with new_league(server=server) as home:
            home.python(PLAYERS)
            for processes in (1, 2):
                rate, alone, latency = compared(home, processes)
                print(
                    f"{name}, {processes} at once: {rate:.1f} matches a second through the league, "
                    f"{alone:.1f} in bare boxes: {rate / alone:.0%} (at least 70 % is asked for); "
                    f"a match alone waits {latency:.0f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main()

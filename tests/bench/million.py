"""A million matches of 2,000 bots in PostgreSQL: `python -m tests.bench.million`.

A smaller league is made up, copied to a PostgreSQL of its own and multiplied there. Then pages,
the tick that makes matches and the writer of ratings are timed.
"""

import argparse
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from tests import servers
from tests.bench.copying import copy
from tests.bench.multiply import multiply
from tests.bench.pages import TIMES, League, made_up, show

MATCHES = 20_000
TIMES_MATCHES = 50
TIMES_BOTS = 4
CONTROL = """
import time
from statistics import median
from django.utils import timezone
from league.ladder import tasks
from league.workers import queue

def timed(work, times):
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        took.append((time.perf_counter() - begun) * 1000)
    return median(took)

def finish(count):
    "Matches without a record, as the writer of ratings sees them."
    players = [entry.bot.active for entry in Entry.objects.playing("basari")[:5]]
    for n in range(count):
        made = matches.make("basari", players, "ladder", rated=True, wake_workers=False)
        for place, seat in enumerate(made.seats.all(), 1):
            Seat.objects.filter(pk=seat.pk).update(place=place, score=0, finished_at=timezone.now())
        Match.objects.filter(pk=made.pk).update(status="finished", finished_at=timezone.now())

Worker.objects.update_or_create(
    name="bench", defaults=dict(seen_at=timezone.now(), capacity=8, sandbox_ok=True)
)
begun = time.perf_counter()
made = sum(ladder.fill(game) for game in ("edel-stein-reich", "basari", "edelsteinsuche"))
filled = (time.perf_counter() - begun) * 1000
tick = timed(tasks.tick, 9)
claimed = timed(lambda: queue.claim("bench"), 9)
finish(200)
begun = time.perf_counter()
rated = writer.rate("basari")
tell({"made": made, "filled": filled, "tick": tick, "claimed": claimed,
      "rated": rated, "rating": (time.perf_counter() - begun) * 1000})
"""


def main() -> None:
    """Make it and print what it takes."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--kept", type=Path, help="a folder whose league is used, or made and kept")
    asked.add_argument("--times", type=int, default=TIMES_MATCHES, help="as many matches")
    options = asked.parse_args()
    with ExitStack() as stack:
        rows = made_up(stack, MATCHES, options.kept).file
        postgres = stack.enter_context(servers.running(servers.Postgres))
        large = League(stack, database=postgres.address)
        large.home.manage("migrate", "-v0")
        begun = perf_counter()
        copy(rows, postgres.address)
        few = large.measure(1)
        multiply(postgres.address, TIMES_BOTS, options.times)
        count = large.home.python("tell(f'{Match.objects.count():,} of {Bot.objects.count():,}')")
        print(f"matches {count} bots after {perf_counter() - begun:.0f} s")
        show("PostgreSQL", large.measure(TIMES), few)
        told = large.home.python(CONTROL)
        print(
            f"making {told['made']} matches of all ladders {told['filled']:.0f} ms; "
            f"a tick with nothing to make {told['tick']:.0f} ms; "
            f"claiming a match {told['claimed']:.1f} ms; "
            f"rating {told['rated']} matches {told['rating']:.0f} ms"
        )


if __name__ == "__main__":
    main()

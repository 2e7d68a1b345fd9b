"""Mirrored games stored by several processes at once: quick players, everything else as it is."""

import psycopg

# Whoever plays them is not the question, so they are played without boxes; claim, loop, store and
# everything after it are those of a worker.
WORK = """
from contextlib import contextmanager
from runners.players import RandomPlayer
@contextmanager
def quick_players(sources, seed, limits, pool):
    yield [RandomPlayer(f"{seed} {seat}") for seat in range(len(sources))]
class NoPool:
    fill = close = lambda self: None
playing.boxed_players = quick_players
worker.pool = lambda: NoPool()
worker.walls.hold = lambda: True
while worker.work_once(): pass
"""
QUEUE = """
import uuid
ladder.ensure()
players = [factories.make_player(name=f"Twin {{n}}") for n in range(3)]
ladder.enrol()
for deal in range({deals}):
    group, seed = uuid.uuid4(), f"deal {{deal}}"
    for turn in range(3):
        table = players[turn:] + players[:turn]
        matches.make(
            "basari", [bot.active for bot in table], Match.Kind.TOURNAMENT, rated=True,
            seed=seed, priority=matches.TOURNAMENT_PRIORITY, group=group, wake_workers=False,
        )
"""
# The writer of ratings works at the same time, as it does in a league.
RATE = """
import time
to_do = Q(status__in=["queued", "running"]) | Q(status="finished", rated=True, ledger_position=None)
until = time.monotonic() + {seconds}
while Match.objects.filter(to_do).exists() and time.monotonic() < until:
    writer.rate("basari")
    time.sleep(0.02)
"""
RESULT = """
tell({
    "finished": Match.objects.filter(status="finished").count(),
    "played twice": Match.objects.filter(attempt__gt=1).count(),
    "hidden": Match.objects.filter(hidden=True).count(),
    "records": Record.objects.count(),
    "rated": Match.objects.exclude(ledger_position=None).count(),
})
"""


def play(home, deals, processes=4, seconds=60):
    """Let some processes play mirrored deals of three seats; how each ended, and what is stored."""
    home.python(QUEUE.format(deals=deals))
    crew = [home.start_python(WORK) for _ in range(processes)]
    crew.append(home.start_python(RATE.format(seconds=seconds)))
    return [process.wait(seconds + 60) for process in crew], home.python(RESULT)


def deadlocks(home):
    """Return how many deadlocks PostgreSQL has broken in this league; None on SQLite."""
    if not home.addresses:
        return None
    with psycopg.connect(home.addresses["DATABASE_URL"], autocommit=True) as connection:
        row = connection.execute(
            "select deadlocks from pg_stat_database where datname = %s", [home.name]
        ).fetchone()
    return row[0]

"""Claiming a job, whose turn it is included, with few lanes and with hundreds.

`python -m tests.bench.claims` prints milliseconds of one claim and of charging it to its lane, on
SQLite and on PostgreSQL: by the clock, and computing in the worker alone.
"""

from tests.league.home import STACKS, new_league

TIMES = 60
CASES = {"5 lanes, 20,000 waiting": (5, 20_000), "302 lanes, 100,000 waiting": (302, 100_000)}
FILL = """
from django.utils import timezone
from league.matches import lane_keys

now, lanes, waiting = timezone.now(), {lanes}, {waiting}
names = [lane_keys.lane_of_ladder(game) for game in ("basari", "edelsteinsuche")]
names += [lane_keys.lane_of_user(pk) for pk in range(1, lanes - 1)]
Match.objects.all().delete()
LaneUse.objects.all().delete()
one = dict(game="basari", seat_count=3, seed="1", status="queued")
# Nearly all are of one cup; every other lane has a few.
Match.objects.bulk_create(
    (
        Match(lane=names[-1] if n >= lanes * 9 else names[n % lanes], kind="tournament", **one)
        for n in range(waiting)
    ),
    batch_size=5000,
)
Match.objects.filter(lane__startswith=lane_keys.LADDER).update(kind="ladder")
LaneUse.objects.bulk_create(
    LaneUse(key=name, used_seconds=n % 7, used_at=now, mean_seconds=0.1)
    for n, name in enumerate(names)
)
Worker.objects.update_or_create(
    name="bench", defaults=dict(seen_at=now, capacity=4, sandbox_ok=True)
)
"""
MEASURE = """
import time
from statistics import median
from django.db import connection
from django.db.models.functions import Now
from league.workers import queue

if connection.vendor == "postgresql":
    with connection.cursor() as cursor:
        cursor.execute("vacuum analyze")

def timed(work):
    begun, computing = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - begun, time.process_time() - computing

def measure(claim):
    claims, charges = [], []
    for _ in range({times}):
        claimed, *took = timed(claim)
        claims.append(took)
        charges.append(timed(lambda: queue.charge(claimed, 0.1))[1:])
        leases.held(claimed.model, claimed.lease).update(status="finished", finished_at=Now())
    return [median(x) * 1000 for x in (*zip(*claims), *zip(*charges))]

Worker.objects.update(seen_at="2100-01-01T00:00:00Z")
kinds = {{"alone": lambda: queue.claim("bench")}}
if hasattr(queue, "Claimer"):
    kinds["in a row"] = queue.Claimer("bench").claim
measure(kinds["alone"])
tell({{name: measure(claim) for name, claim in kinds.items()}})
"""


def main() -> None:
    """Measure and print."""
    for stack, server in STACKS.items():
        with new_league(server=server) as home:
            for case, (lanes, waiting) in CASES.items():
                home.python(FILL.format(lanes=lanes, waiting=waiting))
                for kind, figures in home.python(MEASURE.format(times=TIMES)).items():
                    claim, claim_cpu, charge, charge_cpu = figures
                    print(
                        f"{stack}, {case}, {kind}: claim {claim:.1f} ms ({claim_cpu:.1f} CPU), "
                        f"charge {charge:.1f} ms ({charge_cpu:.1f} CPU)",
                        flush=True,
                    )


if __name__ == "__main__":
    main()

"""Boxes fail, leases lapse, messages come twice; every match counts exactly once all the same."""

import pytest

pytestmark = pytest.mark.stack

PLAYERS = """
source = '''from bots_sdk import Bot


class Any(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
'''
ladder.ensure()
players = [factories.make_bot(name=f"Player {n}") for n in range(4)]
for n, bot in enumerate(players):
    factories.make_version(bot, source + f"# {n}\\n", games=["basari"])
    bot.refresh_from_db()
ladder.enrol()
def queue(count):
    for n in range(count):
        seated = players[n % 4:] + players[:n % 4]
        factories.queue_match(seated[:3])
"""

WORK = """
assert worker.walls.hold()
while worker.work_once(): pass
worker.pool().close()
"""

COUNTED = """
writer.rate("basari")
rows = list(Match.objects.order_by("pk").values_list("status", "attempt"))
tell({
    "statuses": [status for status, _ in rows],
    "attempts": [attempt for _, attempt in rows],
    "records": Record.objects.count(),
    "placed": Seat.objects.exclude(place=None).count(),
    "ledger": RatingChange.objects.count(),
    "numbers": sorted(
        Match.objects.exclude(ledger_position=None).values_list("ledger_position", flat=True)
    ),
    "differences": rebuild.rebuild("basari", write=False).differences,
})
"""


def assert_counted_once(found, matches):
    assert found["statuses"] == ["finished"] * matches
    assert found["records"] == matches
    assert found["placed"] == found["ledger"] == matches * 3
    assert found["numbers"] == list(range(1, matches + 1))
    assert found["differences"] == 0


def test_four_processes_at_once_play_and_store_every_match_exactly_once(home):
    home.python(PLAYERS + "queue(24)")
    together = [home.start_python(WORK) for _ in range(4)]
    assert [process.wait(180) for process in together] == [0] * 4, home.errors()
    assert_counted_once(home.python(COUNTED), 24)


def test_a_match_that_fails_us_three_times_is_void_with_a_reason_and_not_rated(home):
    home.python(PLAYERS + "queue(1)")
    told = home.python(
        "from runners.failures import InfrastructureError\n"
        "def fails(*_, **__): raise InfrastructureError('the box did not come up')\n"
        "playing.runner.play = fails\n" + WORK + "\n"
        "m = Match.objects.get()\n"
        "tell([m.status, m.attempt, writer.rate('basari'), m.void_because])"
    )
    assert told[:3] == ["void", 3, 0]
    assert "the box did not come up" in told[3]


def test_every_task_delivered_twice_changes_nothing(home):
    home.python(PLAYERS + "queue(6)")
    home.python(
        "from league.workers.tasks import wake\n"
        "rate = lambda: writer.rate('basari')\n"
        "for task in [wake, wake, worker.work, worker.work, rate, rate]:\n"
        "    task()\n"
        "worker.pool().close()",
    )
    assert_counted_once(home.python(COUNTED), 6)


def test_a_worker_whose_lease_lapsed_stores_nothing_over_the_one_who_came_after(home):
    told = home.python(
        PLAYERS + "queue(1)\n"
        "first = matches.claim('slow')\n"
        "Match.objects.update(lease_until=leases.in_seconds(-5)); sweep()\n"
        "second = matches.claim('quick')\n"
        "assert worker.walls.hold()\n"
        "pool = worker.pool()\n"
        "tell([playing.play(second, pool), playing.play(first, pool), Record.objects.count()])\n"
        "pool.close()"
    )
    assert told == [True, False, 1]

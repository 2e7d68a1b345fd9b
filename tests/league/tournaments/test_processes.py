"""Tournaments with real processes: they are killed, they come twice, and nothing is lost."""

import signal

import pytest

from tests.league.home import Home

pytestmark = pytest.mark.xdist_group("processes")

TOURNAMENT = """
from datetime import datetime, timedelta
from django.utils import timezone
from league.tournaments import entries, recurring, rounds, services, tasks
from league.tournaments.models import *
"""

# The same bots with the same seeds play the same matches, whoever plays them.
FOUND = (
    TOURNAMENT
    + """
source = '''from bots_sdk import Bot


class Any(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
'''
ladder.ensure()
players = [factories.make_bot(name=f"Player {n}") for n in range(6)]
for n, bot in enumerate(players):
    factories.make_version(bot, source + f"# {n}\\n", games=["basari"])
    bot.refresh_from_db()
def found():
    now = timezone.now()
    config = {"format": "swiss", "seats": 3, "rounds": 2, "seed": "same"}
    cup = services.create(None, "Cup", "basari", config, locks_at=now, starts_at=now)
    Tournament.objects.update(master_seed="5eed" * 16)
    services.publish(cup, None)
    for bot in players:
        entries.enter(cup, bot, None)
"""
)

PLAY = (
    TOURNAMENT
    + """
def play():
    assert worker.walls.hold()
    while Tournament.objects.exclude(state__in=["final", "cancelled"]).exists():
        tasks.tick()
        Match.objects.filter(status="running").update(lease_until=jobs.in_seconds(-1))
        matches.sweep()
        while worker.work_once(): pass
    worker.pool().close()
"""
)

TOLD = (
    TOURNAMENT
    + """
cup = Tournament.objects.get()
tell({
    "state": cup.state,
    "places": list(Entry.objects.order_by("bot__name").values_list("bot__name", "place")),
    "points": [(row.entry, str(row.points), str(row.score)) for row in rounds.standings(cup)],
    "rounds": list(Round.objects.values_list("number", flat=True)),
    "games": sorted(Game.objects.values_list("round__number", "table", "number")),
    "matches": Match.objects.count(),
    "seeds": list(Game.objects.values_list("round", "table", "match__seed").order_by("pk")),
})
"""
)

COUNTED = """
cups = list(Cup.objects.all())
held = Tournament.objects.get(name="Cup")
dates = [cup.occurrences.values("planned_at").distinct().count() for cup in cups]
tell({
    "state": held.state,
    "games": Game.objects.filter(round__tournament=held).count(),
    "rounds": list(held.rounds.values_list("number", flat=True)),
    "counts": [cup.count == cup.occurrences.count() >= 2 for cup in cups],
    "dates": [cup.count == found for cup, found in zip(cups, dates)],
    "entries": [one.entries.count() for one in Tournament.objects.exclude(cup=None)],
})
"""

DIE = "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
DEATHS = {
    "control, locked, before the first round is stored": "rounds.Game.objects.bulk_create = die",
    "control, in the middle of making matches": (
        "made = []\nreal = matches.make\n"
        "def make(*args, **facts):\n"
        "    made.append(1)\n"
        "    return die() if len(made) == 2 else real(*args, **facts)\n"
        "matches.make = make"
    ),
    "worker, while playing": "playing.runner.play = die",
    "worker, while storing": "playing._store_seats = die",
    "control, when a round is finished": "rounds.write_places = die",
    "control, when the second round is planned": (
        "real = rounds.begin_next\n"
        "rounds.begin_next = lambda row: die() if row.rounds.exists() else real(row)"
    ),
    "control, when it becomes final": (
        "real = services._become\n"
        "services._become = lambda row, state, *more: "
        "die() if state == 'final' else real(row, state, *more)"
    ),
}


def test_killed_at_every_point_it_ends_like_an_undisturbed_run(home, tmp_path, empty_home):
    (tmp_path / "calm").mkdir()
    calm = Home(tmp_path / "calm").create(like=empty_home)
    calm.python(FOUND + "found()")
    undisturbed = calm.python(PLAY + "play()" + TOLD)
    calm.end()
    assert (undisturbed["state"], undisturbed["matches"]) == ("final", 4)
    home.python(FOUND + "found()")
    for point, death in DEATHS.items():
        killed = home.start_python(PLAY + DIE + death + "\nplay()")
        assert killed.wait(120) == -signal.SIGKILL, (point, home.errors())
    assert home.python(PLAY + "play()" + TOLD) == undisturbed


def test_two_schedulers_at_once_make_everything_once(home):
    home.python(
        FOUND + "found()\n"
        "for n in range(3):\n"
        "    recurring.create_cup(None, f'Twin {n}', 'basari', {'format': 'swiss', 'seats': 3},"
        " cron='*/5 * * * *', house=True, entry_minutes=10)"
    )
    ticking = TOURNAMENT + (
        "import time\n"
        "until = time.monotonic() + 4\n"
        "while time.monotonic() < until:\n"
        "    tasks.tick()\n"
        "    for match in Match.objects.queued():\n"
        "        try: factories.finish_match(match)\n"
        "        except AssertionError: pass\n"
    )
    together = [home.start_python(ticking) for _ in range(2)]
    assert [process.wait(120) for process in together] == [0, 0], home.errors()
    told = home.python(TOURNAMENT + COUNTED)
    assert (told["state"], told["games"], told["rounds"]) == ("final", 4, [1, 2])
    assert told["counts"] == told["dates"] == [True] * 3
    assert set(told["entries"]) == {6}


def test_an_unattended_cup_runs_three_times_with_real_workers(home):
    home.python(
        FOUND + "recurring.create_cup(None, 'Unattended', 'basari',"
        " {'format': 'swiss', 'seats': 3, 'rounds': 2}, cron='*/5 * * * *',"
        " house=True, entry_minutes=20)"
    )
    home.start("worker", "--processes", "1", "--name", "test")
    home.start("control")
    occurrences = "Tournament.objects.order_by('planned_at')"
    home.wait(TOURNAMENT + f"tell({occurrences}.count() >= 3)")
    # Their time comes now, one after the other; nobody does anything else.
    home.python(
        TOURNAMENT + f"first = {occurrences}[:3]\n"
        "for n, one in enumerate(first):\n"
        "    at = timezone.now() + timedelta(seconds=n)\n"
        "    Tournament.objects.filter(pk=one.pk).update(locks_at=at, starts_at=at)"
    )
    told = home.wait(
        TOURNAMENT + f"first = list({occurrences}[:3])\n"
        "done = [[t.name, t.state, t.rounds.count(),\n"
        "    Game.objects.filter(round__tournament=t, match__status='finished').count(),\n"
        "    t.entries.filter(place=1).exists()] for t in first]\n"
        "tell(all(one[1] == 'final' for one in done) and done)",
        seconds=150,
    )
    assert told == [[f"Unattended #{n}", "final", 2, 4, True] for n in (1, 2, 3)]

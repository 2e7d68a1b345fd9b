"""Tournaments with real processes: they are killed, they come twice, and nothing is lost."""

import signal
from contextlib import ExitStack

import pytest

from tests.league.home import Home
from tests.league.tournaments.crew import Crew

TOURNAMENT = """
import time
from datetime import timedelta
from django.utils import timezone
from league.tournaments.services import entries, lifecycle, recurring, refereeing, rounds, tables
from league.tournaments import tasks
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
for n in range(6):
    bot = factories.make_bot(name=f"Player {n}")
    factories.make_version(bot, source + f"# {n}\\n", games=["basari"])
ladder.ensure()
ladder.enrol()
factories.make_user("mira")
"""
)

DRAFT = (
    TOURNAMENT
    + """
def draft(name, starts_at):
    config = {"format": "swiss", "seats": 3, "rounds": 2, "deals": 3, "seed": "same"}
    mira, times = User.objects.get(), {"locks_at": starts_at, "starts_at": starts_at}
    made = lifecycle.create(mira, name, "basari", config, **times)
    Tournament.objects.filter(pk=made.pk).update(master_seed="5eed" * 16)
"""
)

ENTER = (
    TOURNAMENT
    + """
def enter(name):
    cup = Tournament.objects.get(name=name)
    for bot in Bot.objects.exclude(tournament_entries__tournament=cup).order_by("pk"):
        entries.enter(cup, bot, None)
"""
)

# An organiser, a control process and a worker in one; whenever it begins, it finds what is next.
PLAY = (
    ENTER
    + """
def by_hand(cup, mira):
    cup.refresh_from_db()
    again = Game.objects.filter(attempt=2).exists()
    finished = cup.rounds.filter(number=1).exclude(finished_at=None).exists()
    if cup.state == "draft":
        lifecycle.publish(cup, mira)
    elif cup.state == "open" and cup.entries.count() < 6:
        enter(cup.name)
    elif cup.state == "open":
        lifecycle.lock(cup, mira)
    elif cup.state == "locked":
        lifecycle.start(cup, mira)
    elif not again and not cup.paused:
        refereeing.pause(cup, mira, paused=True)
    elif not again and finished:
        refereeing.rerun_table(cup, mira, 1, 1, "a bad deal")
    elif again and finished and cup.paused:
        refereeing.pause(cup, mira, paused=False)
    else:
        return False
    return True

def play():
    cup, mira = Tournament.objects.get(), User.objects.get()
    while not cup.over:
        while by_hand(cup, mira): pass
        Match.objects.filter(status="running").update(lease_until=leases.in_seconds(-1))
        sweep()
        while worker.work_once(): pass
        tasks.tick()
        cup.refresh_from_db()
"""
)

TOLD = (
    TOURNAMENT
    + """
cup, names = Tournament.objects.get(), dict(Entry.objects.values_list("pk", "bot__name"))
tell({
    "state": cup.state,
    "places": list(Entry.objects.order_by("bot__name").values_list("bot__name", "place")),
    "points": [
        (names[row.entry], str(row.points), str(row.score)) for row in rounds.standings(cup)
    ],
    "rounds": list(Round.objects.values_list("number", flat=True)),
    "games": sorted(
        Game.objects.values_list("round__number", "table", "number", "attempt", "match__seed")
    ),
    "matches": Match.objects.count(),
})
"""
)

COUNTED = """
cups = list(RecurringTournament.objects.filter(name__startswith="Twin"))
held = Tournament.objects.get(name="Raced")
dates = [cup.occurrences.values("planned_at").distinct().count() for cup in cups]
tell({
    "games": Game.objects.filter(round__tournament=held).count(),
    "rounds": list(held.rounds.values_list("number", flat=True)),
    "counts": [cup.count == cup.occurrences.count() >= 2 for cup in cups],
    "dates": [cup.count == found for cup, found in zip(cups, dates)],
    "entries": [one.entries.count() for one in Tournament.objects.filter(recurring__in=cups)],
})
"""

DIE = "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
BECOME = (
    "real = lifecycle._become\n"
    "lifecycle._become = lambda row, state, *more: "
    "die() if state == {state!r} else real(row, state, *more)"
)
# All of them in the middle of a transaction, in the order in which they come.
DEATHS = {
    "organiser, publishing": "lifecycle.note = die",
    "owner, entering a bot": "entries.note = die",
    "control, closing entry": BECOME.format(state="locked"),
    "control, locked, before the first round is stored": "rounds.Game.objects.bulk_create = die",
    "control, in the middle of making matches": (
        "made = []\nreal = matches.make\n"
        "def make(*args, **facts):\n"
        "    made.append(1)\n"
        "    return die() if len(made) == 2 else real(*args, **facts)\n"
        "matches.make = make"
    ),
    "worker, while playing": "playing.runner.play = die",
    "worker, while storing": "storing._store_seats = die",
    "control, when a round is finished": "rounds.write_places = die",
    "referee, re-running a table": "tables._reopen = die",
    "control, when the second round is planned": (
        "real = rounds.begin_next\n"
        "rounds.begin_next = lambda row: die() if row.rounds.exists() else real(row)"
    ),
    "control, when it becomes final": "lifecycle.ending.note = die",
}
CUP = "/tournaments/cup/manage/"


@pytest.fixture(scope="module")
def homes(empty_home, tmp_path_factory):
    """Three leagues with the same bots and the same draft of a tournament."""
    made = [Home(tmp_path_factory.mktemp("home")) for _ in range(3)]
    with ExitStack() as stack:
        for home in made:
            stack.callback(home.end)
            # Only tournaments are played here.
            home.env["LADDER_QUEUE"] = "0"
        first = made[0].create(like=empty_home)
        first.python(f"{FOUND}{DRAFT}draft('Cup', timezone.now() + timedelta(days=1))")
        for home in made[1:]:
            home.create(like=first)
        yield made


@pytest.fixture(scope="module")
def calm(homes):
    """A league in which the tournament is played and nothing happens."""
    crew = Crew(homes[0])
    assert crew.ended(crew.fork(f"{PLAY}play()")) == 0, crew.home.errors()
    return crew


@pytest.fixture(scope="module")
def undisturbed(calm):
    """How it ends there."""
    told = calm.home.python(TOLD)
    # Two rounds of two tables with three deals, and one table once more.
    assert (told["state"], told["matches"]) == ("final", 15)
    return told


@pytest.fixture
def crew(homes, calm):
    """Of a league in which it has not begun."""
    crew = Crew(homes.pop())
    yield crew
    crew.dismiss()


def test_killed_in_every_transaction_it_ends_like_an_undisturbed_run(crew, undisturbed):
    for point, death in DEATHS.items():
        killed = crew.fork(f"{PLAY}{DIE}{death}\nplay()")
        assert crew.ended(killed) == -signal.SIGKILL, (point, crew.home.errors())
    assert crew.ended(crew.fork(f"{PLAY}play()")) == 0, crew.home.errors()
    assert crew.home.python(TOLD) == undisturbed


def test_killed_in_every_state_it_ends_like_an_undisturbed_run(crew, undisturbed):
    home = crew.home
    crew.start("control", "worker", "web")
    crew.sign_in("mira")

    def do(action, body=""):
        """An organiser does something, the server dies of it, and it is done again."""
        assert crew.ask_and_kill(CUP + action, body) == "no answer"
        assert crew.ask(CUP + action, body) == 302

    def reach(what):
        """Wait for this, and kill those who brought it about."""
        home.wait(f"{TOURNAMENT}cup = Tournament.objects.get()\ntell({what})")
        crew.replace("control", "worker")

    do("publish/")
    reach("cup.state == 'open'")
    home.python(f"{ENTER}enter('Cup')")
    do("lock/")
    reach("cup.state == 'locked'")
    do("start/")
    left = home.python(
        f"{TOURNAMENT}\n"
        "over = Game.objects.filter(match__status='finished')\n"
        "while not over.exists(): time.sleep(0.005)\n"
        f"os.killpg({crew.pids['worker']}, signal.SIGKILL)\n"
        "tell(Game.objects.exclude(match__status='finished').count())"
    )
    assert 0 < left < 6
    crew.ended(crew.pids.pop("worker"))
    crew.replace("control")
    do("pause/")
    home.python("Match.objects.filter(status='running').update(lease_until=leases.in_seconds(-1))")
    crew.start("worker")
    reach("cup.rounds.filter(number=1).exclude(finished_at=None).exists()")
    do("rerun/confirm/?round=1&table=1", "typed=Cup&because=a+test")
    reach(
        "cup.rounds.exclude(finished_at=None).exists()"
        " and Game.objects.filter(attempt=2, match__status='finished').count() == 3"
    )
    crew.kill("worker")
    do("go-on/")
    home.wait(f"{TOURNAMENT}tell(Round.objects.count() == 2)")
    do("pause/")
    crew.start("worker")
    reach("cup.rounds.filter(number=2).exclude(finished_at=None).exists()")
    do("go-on/")
    reach("cup.state == 'final'")
    assert home.python(TOLD) == undisturbed


def test_two_schedulers_at_once_make_everything_once(calm):
    calm.home.python(
        DRAFT + ENTER + "draft('Raced', timezone.now())\n"
        "lifecycle.publish(Tournament.objects.get(name='Raced'), None)\nenter('Raced')\n"
        "for n in range(3):\n"
        "    recurring.create_recurring(None, f'Twin {n}', 'basari',"
        " {'format': 'swiss', 'seats': 3}, cron='*/5 * * * *', house=True, entry_minutes=10)"
    )
    ticking = TOURNAMENT + (
        "until = time.monotonic() + 2\n"
        "while time.monotonic() < until or not Tournament.objects.get(name='Raced').over:\n"
        "    tasks.tick()\n"
        "    for match in Match.objects.queued():\n"
        "        try: factories.finish_match(match)\n"
        "        except AssertionError: pass\n"
    )
    together = [calm.fork(ticking) for _ in range(2)]
    assert [calm.ended(one) for one in together] == [0, 0], calm.home.errors()
    told = calm.home.python(
        TOURNAMENT + COUNTED + "RecurringTournament.objects.update(stopped=True)"
    )
    assert (told["games"], told["rounds"]) == (12, [1, 2])
    assert told["counts"] == told["dates"] == [True] * 3
    assert set(told["entries"]) == {6}


def test_an_unattended_recurring_tournament_runs_three_times_with_real_workers(calm):
    home = calm.home
    home.python(
        TOURNAMENT + "recurring.create_recurring(None, 'Unattended', 'basari',"
        " {'format': 'swiss', 'seats': 3, 'rounds': 2}, cron='*/5 * * * *',"
        " house=True, entry_minutes=20)"
    )
    calm.start("worker", "control")
    occurrences = "Tournament.objects.filter(recurring__name='Unattended').order_by('planned_at')"
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
    calm.dismiss()
    assert told == [[f"Unattended #{n}", "final", 2, 4, True] for n in (1, 2, 3)]

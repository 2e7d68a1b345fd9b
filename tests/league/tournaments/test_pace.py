"""How long a tournament takes: the arithmetic, and what real workers say to it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from hypothesis import given, strategies as st

from league.matches import lane_keys
from league.matches.models import Match
from league.tournaments.planning.pace import Pace, Play, costs, mean_gap, slowest
from league.tournaments.queries.calibration import pace
from league.workers import turns
from league.workers.models import LaneUse, Worker
from tests.league.factories import make_player, make_user, queue_match

START = datetime(2026, 1, 1, tzinfo=UTC)


def played(created, started, finished, worker="one"):
    times = (START + timedelta(seconds=seconds) for seconds in (created, started, finished))
    return Play(worker, *times)


@given(st.lists(st.floats(0.01, 60), min_size=1, max_size=20), st.integers(1, 8))
def test_the_slowest_of_some_games_is_between_a_usual_one_and_the_slowest_of_all(sample, count):
    mean = sum(sample) / len(sample)
    assert slowest(sample, 1) == pytest.approx(mean)
    assert mean * 0.999 <= slowest(sample, count) <= max(sample) * 1.001


@pytest.mark.parametrize(
    ("facts", "rounds", "seconds"),
    [
        pytest.param({"workers": 0}, [4], None, id="nobody plays"),
        pytest.param({"workers": 2}, [4, 0, 3], 4, id="the last game of a round is waited for"),
        pytest.param({"workers": 1, "share": 0.5}, [4], 8, id="every other turn is for others"),
        pytest.param({"workers": 4, "tick_seconds": 1}, [4, 4], 3, id="rounds end with a tick"),
        pytest.param({"workers": 4, "tick_seconds": 3}, [4, 4], 6, id="and begin with one"),
        pytest.param({"costs": (1, 3), "workers": 1}, [4], 8, id="one process, some are slow"),
        pytest.param({"costs": (1, 3), "workers": 2}, [4], 4.5, id="two, one of which is last"),
    ],
)
def test_rounds_take_as_long_as_their_slowest_process(facts, rounds, seconds):
    assert Pace(**facts).seconds(rounds) == seconds


def test_what_goes_by_between_two_games_counts_while_one_waits():
    busy = [played(0, 0, 1), played(0, 0, 1.5), played(0, 1.25, 2), played(0, 2.0, 3)]
    # Made when nothing else was left to do, after an upload was checked, by another worker.
    others = [played(4, 4, 5), played(4.5, 60, 61), played(0, 61.1, 62, worker="other")]
    assert mean_gap(busy) == mean_gap(busy + others) == pytest.approx((0.25 + 0.0) / 2)
    assert mean_gap([]) == 0


def test_games_of_a_busy_league_say_more_than_those_of_a_quiet_one():
    quiet = [played(at, at, at + 1) for at in range(30)]
    busy = [played(0, at, at + 2) for at in range(10, 20)]
    assert costs(quiet + busy[1:], 0.5) == (1.5,) * 30 + (2.5,) * 9
    assert costs(quiet + busy, 0.5) == (2.5,) * 10
    assert costs([], 0.5) == (1.0,)


@pytest.mark.parametrize(
    ("waiting", "ladder_load", "share"),
    [
        pytest.param([], 0.0, 1, id="nobody else"),
        pytest.param(["user-1"], 0.0, 1, id="only themselves"),
        pytest.param(["user-1", "user-2"], 0.0, 0.5, id="another owner"),
        pytest.param(["ladder-basari"], 0.1, 0.9, id="a ladder that hardly plays"),
        pytest.param(["ladder-basari"], 0.9, 0.75, id="a ladder that takes what it can get"),
        pytest.param(["ladder-basari", "user-2", "house"], 1.0, 0.25, id="all of them"),
    ],
)
def test_owners_share_the_turns_that_ladders_leave(waiting, ladder_load, share):
    assert turns.share("user-1", waiting, ladder_load) == pytest.approx(share)


def test_what_was_used_lately_says_how_many_places_are_busy():
    used_seconds = 0.0
    for _ in range(600):
        used_seconds = turns.forget(used_seconds, 1) + 3
    assert turns.load(used_seconds, 4) == pytest.approx(0.75, rel=0.02)
    assert turns.load(used_seconds, 0) == 0


@pytest.mark.django_db
def test_estimates_follow_the_latest_games_at_tables_of_the_same_size():
    bots = [make_player(make_user()) for _ in range(4)]
    now = timezone.now()
    for size, seconds in ((3, 0.2), (3, 0.6), (4, 2.0)):
        Match.objects.filter(pk=queue_match(bots[:size]).pk).update(
            status="finished", started_at=now - timedelta(seconds=seconds), finished_at=now
        )
    assert sorted(pace("basari", 3).costs) == pytest.approx([0.2, 0.6])
    assert pace("basari", 4).costs == pytest.approx([2.0])
    assert sorted(pace("basari", 5).costs) == pytest.approx([0.2, 0.6, 2.0])


@pytest.mark.django_db
def test_whoever_waits_or_plays_on_a_ladder_has_a_share():
    bots = [make_player(make_user()) for _ in range(3)]
    mira, milo = make_user(), make_user()
    assert pace("basari", 3, mira).share == 1
    Match.objects.filter(pk=queue_match(bots).pk).update(lane=lane_keys.lane_of_user(milo.pk))
    LaneUse.objects.create(
        key=lane_keys.lane_of_ladder("basari"), used_seconds=1000.0, used_at=timezone.now()
    )
    Worker.objects.create(name="one", sandbox_ok=True, seen_at=timezone.now())
    cache.clear()
    assert pace("basari", 3, mira).share == 0.375
    assert pace("basari", 3, milo).share == 0.75


LEAGUE = """
from datetime import timedelta
from league.tournaments.services import entries, lifecycle
from league.tournaments.queries.calibration import pace
from league.tournaments.planning.formats import load
from league.tournaments.models import Tournament
from django.core.cache import cache
from django.utils import timezone
"""
FOUND = """
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
# Estimated, then played at once.
HOLD = (
    LEAGUE
    + """
mira = User.objects.get()
# Later, so that nobody but this script locks and starts it.
later = timezone.now() + timedelta(hours=1)
config = {{"format": "swiss", "seats": 3, "rounds": 2, "deals": 9}}
cup = lifecycle.create(mira, {name!r}, "basari", config, locks_at=later, starts_at=later)
lifecycle.publish(cup, mira)
for bot in Bot.objects.all():
    entries.enter(cup, bot, None)
cache.clear()
form, settled = load(cup.config)
estimated = form.cost(settled, 6).seconds(pace("basari", 3, mira))
lifecycle.lock(cup, mira)
lifecycle.start(cup, mira)
tell(estimated)
"""
)
TOOK = LEAGUE + (
    "cup = Tournament.objects.get(name={name!r})\n"
    "tell(cup.finished_at and (cup.finished_at - cup.started_at).total_seconds())"
)


def test_tournaments_take_as_long_as_was_estimated(home):
    home.python(FOUND)
    home.start("control")
    home.start("worker", "--processes", "2")
    # What the ladder plays says how long a game takes.
    home.wait("tell(Match.objects.finished().count() >= 30)")
    estimated = measured = 0.0
    # Together: one machine is not as busy in one moment as in the next. What other tests do to it
    # evens out over more cups; an estimate that is wrong stays wrong.
    for number in range(1, 9):
        name = f"Cup {number}"
        estimated += home.python(HOLD.format(name=name))
        measured += home.wait(TOOK.format(name=name))
        if number >= 3 and estimated == pytest.approx(measured, rel=0.25):
            break
    assert estimated == pytest.approx(measured, rel=0.25)

"""The control process: it is heard of, its ticks are bounded, and it stops when it is asked to."""

import os
import signal
import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from engine.registry import GAMES
from league.control import heartbeat, work
from league.control.clock import Clock
from league.control.models import ControlProcess
from league.control.work import Rota, portion
from league.ladder import services as ladder, tasks as ladder_tasks
from league.ladder.models import Ladder
from league.ladder.ratings import writer
from league.matches.models import Match
from league.operate import tasks as operate_tasks
from league.tournaments import tasks
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.services import lifecycle
from tests.league.asking import ask
from tests.league.factories import make_match, make_player, make_user
from tests.league.reading import text_of

MANY = 3000


@pytest.fixture
def heart(monkeypatch):
    """A process that announces itself and is forgotten again."""
    monkeypatch.setattr(heartbeat, "_heart", heartbeat._Heart())
    monkeypatch.setattr(heartbeat, "WRITE_SECONDS", 0.0)


@pytest.fixture
def go_on():
    """Nobody is asked to stop before or after the test."""
    yield
    work.stopping.clear()


def shown(client):
    out = StringIO()
    call_command("status", stdout=out)
    return text_of(client.get("/status/")), ask("status").json()["control"], out.getvalue()


@pytest.mark.django_db
def test_everybody_can_see_whether_the_control_process_works(client, heart, settings):
    # What the status page remembers for some seconds would hide what follows.
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    page, told, terminal = shown(client)
    assert "not seen yet" in page
    assert told == {"heartbeat": None, "alive": False}
    assert "NO HEARTBEAT YET" in terminal

    heartbeat.announce("c0de")
    ControlProcess.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    page, told, terminal = shown(client)
    assert "silent" in page
    assert not told["alive"]
    assert "SILENT" in terminal

    tasks.tick()
    page, told, terminal = shown(client)
    assert "running" in page
    assert told["alive"]
    assert "tournaments" in terminal
    row = ControlProcess.objects.get()
    assert (row.pid, row.code) == (os.getpid(), "c0de")
    assert row.work["tournaments"]["ms"] >= 0


@pytest.mark.django_db
def test_a_process_whose_work_fails_falls_silent(heart):
    heartbeat.announce("c0de")
    before = ControlProcess.objects.get().seen_at

    def fail():
        with heartbeat.noting("ladder"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert ControlProcess.objects.get().seen_at == before


@pytest.fixture
def many_due(db):
    """Thousands of tournaments whose time has come, and one that is being played."""
    past = timezone.now() - timedelta(minutes=1)
    config = {"format": "swiss", "seats": 3, "rounds": 2}
    first = lifecycle.create(None, "First", "basari", config, locks_at=past, starts_at=past)
    fields = {
        field.attname: getattr(first, field.attname)
        for field in Tournament._meta.concrete_fields
        if not field.primary_key
    }
    Tournament.objects.bulk_create(
        Tournament(**{**fields, "slug": f"due-{n}", "name": f"Due {n}", "state": "open"})
        for n in range(MANY)
    )


def test_thousands_of_due_tournaments_leave_time_for_the_rest(many_due, monkeypatch):
    moved = []
    monkeypatch.setattr(lifecycle, "move_on", lambda row, now: moved.append(row.pk))
    for number in range(1, 4):
        tasks.tick()
        assert len(moved) <= number * work.MAX_ROWS
    # In turn: nobody comes a second time before everybody came once.
    assert len(set(moved)) == len(moved) == 3 * work.MAX_ROWS


def test_slow_tournaments_are_left_for_the_next_tick(many_due, monkeypatch):
    moved = []
    monkeypatch.setattr(
        lifecycle, "move_on", lambda row, _: moved.append(row.pk) or time.sleep(0.5)
    )
    tasks.tick()
    first = len(moved)
    assert first <= work.MAX_SECONDS / 0.5 + 1
    tasks.tick()
    assert len(set(moved)) == len(moved) > first


@pytest.mark.django_db
def test_a_cup_with_thousands_of_dates_opens_some_at_a_tick(monkeypatch):
    config = {"format": "swiss", "seats": 3, "rounds": 2}
    RecurringTournament.objects.create(
        name="Flood",
        slug="flood",
        game="basari",
        config=config,
        cron="*/5 * * * *",
        entry_minutes=60 * 24 * 28,
        looked_at=timezone.now(),
    )
    tasks.tick()
    opened = Tournament.objects.count()
    assert 0 < opened <= work.MAX_ROWS
    tasks.tick()
    assert opened <= Tournament.objects.count() <= 2 * work.MAX_ROWS


def test_work_stops_between_two_units_when_it_is_asked_to(go_on):
    taken = []
    for unit in portion(range(1000)):
        taken.append(unit)
        if unit == 3:
            work.stop()
    assert taken == [0, 1, 2, 3]
    assert list(portion(range(3))) == []


@pytest.mark.django_db
def test_turns_go_round(monkeypatch):
    monkeypatch.setattr(work, "MAX_ROWS", 2)
    users = [make_user(f"user{n}").pk for n in range(3)]
    everybody, rota = type(make_user("last")).objects.filter(pk__in=users), Rota()
    turns = [[row.pk for row in rota.rows(everybody)] for _ in range(3)]
    assert turns == [users[:2], [users[2], users[0]], users[1:]]


FLOOD = """
from datetime import timedelta
from django.utils import timezone
from league.tournaments.services import lifecycle
from league.tournaments.models import Tournament
past = timezone.now() - timedelta(minutes=1)
config = {"format": "swiss", "seats": 3, "rounds": 2}
for bot in range(8):
    factories.make_player(name=f"Player {bot}")
players = list(Bot.objects.select_related("active"))
first = lifecycle.create(None, "First", "basari", config, locks_at=past, starts_at=past)
names = [f.attname for f in Tournament._meta.concrete_fields if not f.primary_key]
fields = {name: getattr(first, name) for name in names}
Tournament.objects.bulk_create(
    Tournament(**{**fields, "slug": f"due-{n}", "name": f"Due {n}", "state": "open"})
    for n in range(8035)
)
ladder.ensure()
for n in range(30):
    factories.make_match(players[:3])
"""


DUE = """
from league.tournaments.models import Tournament
due = Tournament.objects.filter(state="open")
"""


@pytest.mark.stack
def test_control_rates_and_stops_while_thousands_of_tournaments_are_due(home):
    home.python(FLOOD)
    control = home.start("control")
    home.wait("tell(not Match.objects.unrated('basari').exists())")
    home.wait(f"{DUE}tell(due.count() < 8035)")
    left = home.python(f"{DUE}tell(due.count())")
    assert left > 4000, "there should be much to do yet"
    begun = time.monotonic()
    control.send_signal(signal.SIGTERM)
    assert control.wait(60) == 0, home.errors()
    assert time.monotonic() - begun < 20


@pytest.mark.django_db
def test_rating_a_long_queue_is_done_in_portions(monkeypatch):
    players = [make_player() for _ in range(3)]
    for _ in range(5):
        make_match(players)
    Ladder.objects.get_or_create(game="basari")
    monkeypatch.setattr(writer, "BATCH_SIZE", 2)
    assert writer.rate("basari", 0.0) == 2
    assert writer.rate("basari") == 3
    assert not Match.objects.unrated("basari").exists()


@pytest.mark.django_db
def test_a_ladder_that_cannot_be_rated_does_not_stop_the_others(monkeypatch):
    filled = []
    make_match([make_player() for _ in range(3)], next(iter(GAMES)))

    def break_first(game, seconds):
        if game == next(iter(GAMES)):
            raise ZeroDivisionError
        return 0

    monkeypatch.setattr(writer, "rate", break_first)
    monkeypatch.setattr(ladder, "fill", filled.append)
    with pytest.raises(ZeroDivisionError):
        ladder_tasks.tick()
    assert filled == list(GAMES)[1:]


@pytest.mark.django_db
def test_a_watch_that_fails_does_not_stop_the_removal_of_what_is_old(monkeypatch):
    def fail():
        raise ZeroDivisionError

    removed = []
    monkeypatch.setattr(operate_tasks.quarantine, "quarantine_unhealthy", fail)
    monkeypatch.setattr(operate_tasks.retention, "remove_expired", lambda: removed.append(True))
    with pytest.raises(ZeroDivisionError):
        operate_tasks.tick()
    assert removed


def test_a_second_signal_does_not_ask_a_second_time_to_stop():
    asked = []
    clock = Clock([], on_stop=lambda: asked.append(clock._stop()))
    clock._stop(signal.SIGINT)
    assert len(asked) == 1

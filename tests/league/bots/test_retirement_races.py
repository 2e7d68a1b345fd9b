"""Owners delete and retire bots while matches are made for them, in processes of their own."""

import time

import pytest

pytestmark = pytest.mark.stack

BOTS = 12
PREPARE = f"""
mira = factories.make_user("mira")
for name in ("One", "Two"):
    factories.make_player(name=name)
for number in range({BOTS}):
    factories.make_player(mira, f"Shark {{number}}")
"""
# Both have read the bots when they begin, and go through them in the same order.
BEGIN = """
import time
from pathlib import Path
from django.db import IntegrityError, transaction
from league.bots import retirement
from league.errors import Refused
house = [bot.active for bot in Bot.objects.filter(owner=None).select_related("active")]
sharks = list(Bot.objects.filter(owner__isnull=False).select_related("active").order_by("pk"))
folder = Path(os.environ["KARAT_VAR"])
(folder / f"ready-{{os.getpid()}}").touch()
while not (folder / "go").exists():
    time.sleep(0.001)
for bot in sharks:
    {action}
"""
MAKE = """
    try:
        with transaction.atomic():
            matches.make("basari", [bot.active, *house], "ladder", rated=True)
    except IntegrityError:
        pass
"""
DELETE = """
    try:
        retirement.delete(bot)
    except Refused as refused:
        assert refused.code == "L014", refused
"""
RETIRE = "retirement.retire(bot)"


def race(home, action):
    home.python(PREPARE)
    processes = [home.start_python(BEGIN.format(action=one)) for one in (MAKE, action)]
    while len(list(home.folder.glob("ready-*"))) < len(processes):
        assert all(process.poll() is None for process in processes), home.errors()
        time.sleep(0.01)
    (home.folder / "go").touch()
    for process in processes:
        assert process.wait(120) == 0, home.errors()


def test_a_bot_is_deleted_or_plays_but_never_both(home):
    race(home, DELETE)
    left, seated, played = home.python(
        "sharks = Bot.objects.filter(owner__isnull=False)\n"
        "seats = Seat.objects.filter(bot__in=sharks)\n"
        "tell([sorted(sharks.values_list('pk', flat=True)),"
        " sorted(seats.values_list('bot', flat=True)), Match.objects.count()])"
    )
    assert left == seated
    assert played == len(left)


def test_a_bot_that_retires_while_matches_are_made_plays_them_and_no_more(home):
    race(home, RETIRE)
    assert home.python("tell(Match.objects.count())") == BOTS
    assert home.python("tell(Bot.objects.filter(owner__isnull=False, active=None).count())") == BOTS

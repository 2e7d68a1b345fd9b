"""A served league with walls, for tests that look at them in a browser."""

import time

from playwright.sync_api import Error

from tests.browser.shown import Shown
from tests.league.home import free_port

NAMES = (
    *("Sapphire Shark", "Mira Moves", "Tin Cup", "Owl 9"),
    *("Magpie Two", "BarterBot", "Ottilie", "Elephant in the Shop"),
)
MADE = f"""
from django.utils import timezone
from league.tournaments.services import entries, lifecycle
from tests.league.tournaments.sealing.events import move_on, play_all

organiser = factories.make_user("mira")
players = [factories.make_player(None, name) for name in {NAMES!r}]
now = timezone.now()
config = {{"format": "swiss", "seats": 4, "rounds": 2, "deals": 1, "mirrored": False}}
gala = lifecycle.create(
    organiser, "Gala", "basari", config, locks_at=now, starts_at=now, sealed_from=1
)
lifecycle.publish(gala, organiser)
for bot in players:
    entries.enter(gala, bot, None)
gala.refresh_from_db()
play_all(move_on(gala))
for game in ("edel-stein-reich", "basari", "edelsteinsuche"):
    factories.make_match(players[:3], game)
coming = factories.make_tournament(organiser, "Basari Open")
lifecycle.publish(coming, organiser)
"""
"""An evening of eight entries, all of it played and sealed; and some public matches."""

LARGE = """
from datetime import timedelta
from league.bots.models import Bot
from league.stage import services
from tests.league.tournaments.sealing.events import make_event, move_on, play_all, play_round

def rename_bots(event):
    for entry in event.entries.all():
        name = f"{entry.pk} Barterers of the Far North and West"
        Bot.objects.filter(pk=entry.bot_id).update(name=name)

title = "Winter Gala of the Northern Barter League"
gala = make_event(20, name=title, sealed_from=0, freeze_after_minutes=1)
rename_bots(gala)
play_all(move_on(gala, timedelta(minutes=2)))
stage = services.stage_of(gala)
for _ in range(9):
    stage.refresh_from_db()
    services.reveal(stage, stage.revision, gala.organiser, "")
config = {"format": "knockout", "seats": 4, "advance": 2, "deals": 1, "mirrored": False}
cup = make_event(16, config, name="Winter Cup", sealed_from=0)
rename_bots(cup)
play_round(cup)
tell([gala.slug, cup.slug])
"""
"""An evening of twenty entries of which nine places are revealed, and a cup of sixteen; their names
are long. Tells their slugs.
"""

FIVE_SEATS = """
from league.bots.models import Bot
names = ["Sapphire Shark", "Mira Moves", "Tin Cup", "Owl 9", "Magpie Two"]
tell(factories.make_match(list(Bot.objects.filter(name__in=names)), "edel-stein-reich").pk)
"""

STEP = "document.body.wall.premiere.i"
POSITION = "document.body.wall.premiere.position()"
SET = """
from django.utils import timezone
from league.stage.models import Stage
Stage.objects.filter(tournament{where}).update(
    revision=F("revision") + 1, {fields}
)
"""


class Walls(Shown):
    """A league with an event night."""

    def make(self):
        """Fill and serve it."""
        self.create()
        self.collect_static()
        self.python(MADE)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.env["SITE_URL"] = self.address
        self.serve_web()
        return self

    def serve_web(self):
        """Serve it, at the same address as before."""
        self.web = self.start_web(self.port)
        self.wait_for(f"{self.address}/healthz")

    def end_web(self):
        """Stop serving it, as a deployment does."""
        self.web.terminate()
        self.web.wait(20)

    def set_stage(self, event="", **fields):
        """Write to the row of a wall as nobody else can: other speeds, other moments."""
        where = f"__slug={event!r}" if event else "=None"
        values = ", ".join(f"{name}={value}" for name, value in fields.items())
        self.python(SET.format(where=where, fields=values))


def wait_until(page, fact, seconds=30):
    """Wait until an expression is true in a page, whose policy forbids it to evaluate any."""
    until = time.monotonic() + seconds
    while not _is_true(page, fact):
        assert time.monotonic() < until, f"never true: {fact}"
        page.wait_for_timeout(50)


def _is_true(page, fact):
    """Look once. A page that reloads at this very moment cannot tell."""
    try:
        return page.evaluate(fact)
    except Error as error:
        if "Execution context was destroyed" not in str(error):
            raise
        return False


def watch_wall(page, site, event=""):
    """Open a wall, and wait until it shows a match."""
    page.goto(f"{site.address}/tv/?event={event}" if event else f"{site.address}/tv/")
    wait_until(page, f"document.body.wall && {STEP} >= 0")
    return page

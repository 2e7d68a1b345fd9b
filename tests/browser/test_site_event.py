"""An event night in a browser: sealed, frozen, revealed by its organiser, for everybody to see."""

import pytest

from tests.browser.shown import Shown
from tests.browser.test_site_tournaments import assert_usable

MADE = """
from datetime import timedelta
from django.utils import timezone
from league.tournaments.models import Tournament
from league.tournaments.services import entries, lifecycle
factories.make_user("mira")
for name in ("Anton", "Ottilie", "Zita", "Tin Cup", "Owl 9", "Sapphire Shark"):
    factories.make_player(None, name)
config = {"format": "swiss", "seats": 3, "rounds": 3}
gala = factories.make_tournament(
    User.objects.get(), "Gala", config=config, sealed_from=1, freeze_after_minutes=60
)
lifecycle.publish(gala, gala.organiser)
for bot in Bot.objects.all():
    entries.enter(gala, bot, None)
Tournament.objects.update(locks_at=timezone.now(), starts_at=timezone.now())
gala.refresh_from_db()
lifecycle.move_on(gala, timezone.now())
"""
PLAY_ROUND = """
from datetime import timedelta
from django.utils import timezone
from league.tournaments.services import lifecycle
from league.tournaments.models import Tournament
for match in Match.objects.queued():
    factories.finish_match(match)
lifecycle.move_on(Tournament.objects.get(), timezone.now() + timedelta(minutes={later}))
"""
GALA = "/tournaments/gala/"
PAGES = ["", "standings/", "rounds/1/", "rounds/2/", "schedule/", "rules/"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Shown(tmp_path_factory.mktemp("league"))
    try:
        league.create()
        league.collect_static()
        league.python(MADE)
        league.serve()
        yield league
    finally:
        league.end()


def test_an_organiser_reveals_and_everybody_watches(chromium, window, site):
    audience = chromium.new_context(reduced_motion="reduce").new_page()
    audience.goto(f"{site.address}{GALA}")
    audience.get_by_text("Round 1 is sealed").wait_for()
    window.context.add_cookies([site.cookie("mira")])
    console = f"{site.address}{GALA}manage/"
    window.goto(console)
    window.get_by_text("It can be revealed when its games are over.").wait_for()
    site.python(PLAY_ROUND.format(later=0))
    window.get_by_role("button", name="Reveal next").wait_for()
    assert_usable(window)
    for page in PAGES:
        audience.goto(f"{site.address}{GALA}{page}")
        assert_usable(audience)
    audience.goto(f"{site.address}/matches/1/")
    audience.get_by_text("This match is sealed.").wait_for()
    assert_usable(audience)

    audience.goto(f"{site.address}{GALA}?result=1")
    window.get_by_role("button", name="Reveal next").click()
    window.get_by_text("Revealed round 1.").wait_for()
    # Whoever watches sees it without doing anything.
    audience.get_by_text("Round 2 is sealed").wait_for()
    audience.get_by_role("heading", name="Standings").wait_for()

    for _ in range(2):
        site.python(PLAY_ROUND.format(later=61))
    audience.get_by_text("The board is frozen").wait_for()
    for _ in range(2):
        window.goto(console)
        window.get_by_role("button", name="Reveal next").click()
        window.locator(".notice.success").get_by_text("Revealed place").wait_for()
    audience.get_by_role("heading", name="Final places so far").wait_for()
    assert audience.locator(".final-places li").count() == 6
    # Those who share a place are revealed together.
    assert 2 <= audience.locator(".final-places li a").count() < 6
    assert_usable(audience)
    audience.context.close()

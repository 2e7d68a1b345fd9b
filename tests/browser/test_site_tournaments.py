"""A tournament in a browser: made, entered, watched, over, printed."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.shown import Shown

# One league is served for all of them.
MADE = """
factories.make_player(factories.make_user("mira"), "Sapphire Shark")
for name in ("Anton", "Ottilie", "Zita", "Tin Cup", "Owl 9"):
    factories.make_player(None, name)
"""
BEGIN = """
from django.utils import timezone
from league.tournaments import entries, services
from league.tournaments.models import Tournament
cup = Tournament.objects.get(name="Window Cup")
for bot in Bot.objects.filter(owner=None):
    entries.enter(cup, bot, None)
Tournament.objects.update(locks_at=timezone.now(), starts_at=timezone.now())
cup.refresh_from_db()
services.move_on(cup, timezone.now())
"""
PLAY_ROUND = """
from django.utils import timezone
from league.tournaments import services
from league.tournaments.models import Tournament

for match in Match.objects.queued():
    factories.finish_match(match)
services.move_on(Tournament.objects.get(name="Window Cup"), timezone.now())
"""
CUP = "/tournaments/window-cup/"
PAGES = ["", "standings/", "rounds/1/", "schedule/", "entries/", "rules/", "manage/"]


@pytest.fixture
def site(tmp_path):
    league = Shown(tmp_path)
    try:
        league.create()
        league.collect_static()
        league.python(MADE)
        league.serve()
        yield league
    finally:
        league.end()


def assert_usable(window):
    """Nothing for axe to complain about, and nothing wider than a small phone."""
    for theme in ("dark", "light"):
        window.emulate_media(color_scheme=theme)
        found = Axe().run(window)
        assert found.violations_count == 0, f"{theme}\n{found.generate_report()}"
    window.set_viewport_size({"width": 320, "height": 800})
    assert window.evaluate("document.documentElement.scrollWidth") <= 320, window.url
    window.set_viewport_size({"width": 1280, "height": 900})


def assert_prints_on_one_page(window):
    window.emulate_media(media="print")
    for gone in (".masthead", ".footer", ".tabs", ".no-print", ".breadcrumb"):
        assert not window.locator(gone).first.is_visible(), gone
    assert window.get_by_text("Ties are broken by").is_visible()
    assert window.pdf(format="A4").count(b"/Type /Page\n") == 1
    window.emulate_media(media="screen")


def make(window):
    window.get_by_label("Name", exact=True).fill("Window Cup")
    window.get_by_label("Basari: the card game").check()
    window.get_by_label("Seats per table").fill("3")
    window.get_by_label("Rounds").fill("2")
    window.get_by_label("Deals per pod").fill("1")
    window.get_by_label("Mirror seats").uncheck()
    window.get_by_label("Bots expected").fill("7")
    window.get_by_label("Bots expected").blur()


def assert_told_without_script(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.get_by_role("heading", name="Podium").is_visible()
    page.goto(f"{address}standings/")
    assert page.locator("tbody tr").count() == 6
    context.close()


def test_from_the_form_to_the_printed_standings(chromium, window, site):
    window.goto(f"{site.address}/tournaments/")
    assert_usable(window)
    window.context.add_cookies([site.cookie("mira")])

    window.goto(f"{site.address}/tournaments/new/")
    make(window)
    window.get_by_text("7 bots → 2 rounds × 2 pods × 1 game = 4 games").wait_for()
    window.get_by_text("One bot sits out per round").wait_for()
    assert_usable(window)
    window.get_by_role("button", name="Publish").click()
    window.get_by_text("Window Cup is open for entries.").wait_for()

    window.goto(f"{site.address}{CUP}")
    window.get_by_label("Bot", exact=True).select_option(label="Sapphire Shark")
    window.get_by_role("button", name="Enter", exact=True).click()
    window.get_by_text("Sapphire Shark is in Window Cup.").wait_for()

    site.python(BEGIN)
    window.reload()
    window.get_by_text("0 of 4 games").wait_for()
    site.python(PLAY_ROUND)
    # The page finds out by itself, within a tick.
    window.get_by_text("2 of 4 games").wait_for()
    for page in PAGES:
        window.goto(f"{site.address}{CUP}{page}")
        assert_usable(window)

    site.python(PLAY_ROUND)
    window.goto(f"{site.address}{CUP}")
    window.get_by_role("heading", name="Podium").wait_for()
    assert window.locator("[data-live]").count() == 0
    assert_usable(window)
    window.goto(f"{site.address}{CUP}standings/")
    assert_prints_on_one_page(window)
    assert_told_without_script(chromium, f"{site.address}{CUP}")

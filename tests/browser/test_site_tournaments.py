"""A tournament in a browser: made, entered, watched, over, printed."""

from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.shown import Shown

# One league is served for all of them.
MADE = """
factories.make_player(factories.make_user("mira"), "Sapphire Shark")
for name in ("Anton", "Ottilie", "Zita", "Tin Cup", "Owl 9"):
    factories.make_player(None, name)
"""
BEGIN = """
from django.utils import timezone
from league.tournaments.services import entries, lifecycle
from league.tournaments.models import Tournament
cup = Tournament.objects.get(name="Window Cup")
for bot in Bot.objects.filter(owner=None):
    entries.enter(cup, bot, None)
Tournament.objects.update(locks_at=timezone.now(), starts_at=timezone.now())
cup.refresh_from_db()
lifecycle.move_on(cup, timezone.now())
"""
PLAY_ROUND = """
from django.utils import timezone
from league.tournaments.services import lifecycle
from league.tournaments.models import Tournament

for match in Match.objects.queued():
    factories.finish_match(match)
lifecycle.move_on(Tournament.objects.get(name="Window Cup"), timezone.now())
"""
CUP = "/tournaments/window-cup/"
KNOCKOUT = """
from league.tournaments.services import entries, lifecycle
config = {"format": "knockout", "seats": 3, "advance": 1, "deals": 1}
cup = factories.make_tournament(User.objects.get(username="mira"), "Living Cup", config=config)
lifecycle.publish(cup, cup.organiser)
for bot in Bot.objects.all():
    entries.enter(cup, bot, None)
"""
LIVING = """
from django.utils import timezone
from league.tournaments.services import lifecycle
from league.tournaments.models import Tournament
cup = Tournament.objects.get(name="Living Cup")
"""
PLAY_GAMES = """
for match in Match.objects.queued():
    factories.finish_match(match)
lifecycle.move_on(cup, timezone.now())
"""
PAGES = ["", "standings/", "rounds/1/", "schedule/", "entries/", "rules/", "manage/"]


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
    assert window.get_by_text("Places are decided by").is_visible()
    assert window.pdf(format="A4").count(b"/Type /Page\n") == 1
    window.emulate_media(media="screen")


def make(window, name):
    window.get_by_label("Name", exact=True).fill(name)
    window.get_by_label("Basari: the card game").check()
    window.get_by_label("Seats per table").fill("3")
    window.get_by_label("Rounds").fill("2")
    window.get_by_label("Deals per pod").fill("1")
    window.get_by_label("Mirrored seats").uncheck()
    window.get_by_label("Expected bots").fill("7")
    window.get_by_label("Expected bots").blur()


def assert_told_without_script(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_text("Show results", exact=True).click()
    expect(page.get_by_role("heading", name="Podium")).to_be_visible()
    page.goto(f"{address}standings/")
    page.get_by_text("Show results", exact=True).click()
    assert page.locator("tbody tr").count() == 6
    context.close()


def test_from_the_form_to_the_printed_standings(chromium, window, site):
    window.goto(f"{site.address}/tournaments/")
    assert_usable(window)
    window.context.add_cookies([site.cookie("mira")])

    window.goto(f"{site.address}/tournaments/new/")
    make(window, "Window Cup")
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


@contextmanager
def browsing(chromium, site, **facts):
    """A page of mira's in a browser of its own."""
    context = chromium.new_context(**facts)
    context.add_cookies([site.cookie("mira")])
    yield context.new_page()
    context.close()


def zone(page):
    return page.get_by_label("Time zone", exact=True)


def test_the_form_chooses_the_time_zone_of_the_browser(chromium, site):
    new = f"{site.address}/tournaments/new/"
    with browsing(chromium, site, timezone_id="Asia/Tokyo") as page:
        page.goto(new)
        expect(zone(page)).to_have_value("Asia/Tokyo")
        make(page, "Tokyo Cup")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("Tokyo Cup is saved as a draft.").wait_for()
    with browsing(chromium, site, timezone_id="Asia/Tokyo", java_script_enabled=False) as page:
        page.goto(new)
        expect(zone(page)).to_have_value("UTC")


def test_a_zone_that_was_chosen_stays_wherever_the_browser_is(chromium, site):
    with browsing(chromium, site, timezone_id="America/Lima") as page:
        page.goto(f"{site.address}/tournaments/new/")
        expect(zone(page)).to_have_value("America/Lima")
        make(page, "")
        zone(page).select_option("Asia/Tokyo")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("This field is required.").first.wait_for()
        page.wait_for_load_state("networkidle")
        expect(zone(page)).to_have_value("Asia/Tokyo")
        page.get_by_label("Name", exact=True).fill("Kept Cup")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("Kept Cup is saved as a draft.").wait_for()
        page.goto(f"{site.address}/tournaments/kept-cup/edit/")
        page.wait_for_load_state("networkidle")
        expect(zone(page)).to_have_value("Asia/Tokyo")


# What each page says when the tournament is as far as its badge says.
STAGES = [
    (
        "",
        "open for entries",
        {
            "": "Entered so far",
            "bracket/": "The bracket is drawn when entry closes",
            "rounds/1/": "Pairings appear at the start",
            "manage/": "Entry closes automatically",
        },
    ),
    (
        "lifecycle.lock(cup, None)\nlifecycle.start(cup, None)",
        "live",
        {
            "": "0 of 3 games",
            "bracket/": "Semi-finals",
            "rounds/1/": "Round 1, in progress",
            "manage/": "Round 1 is running",
        },
    ),
    (
        PLAY_GAMES,
        "live",
        {
            "": "2 of 3 games",
            "bracket/": "advances",
            "rounds/1/": "Round 1, finished",
            "manage/": "Round 2 is the last",
        },
    ),
    # A round that is over changes no more, and is not asked for again.
    (
        "lifecycle.cancel(cup, None, 'rain')",
        "cancelled",
        {"": "cancelled", "bracket/": "advances", "manage/": "It was cancelled: rain"},
    ),
]


def test_pages_follow_a_tournament_without_being_loaded_again(chromium, site):
    site.python(KNOCKOUT)
    context = chromium.new_context()
    context.add_cookies([site.cookie("mira")])
    pages = {path: context.new_page() for path in STAGES[0][2]}
    for path, page in pages.items():
        page.goto(f"{site.address}/tournaments/living-cup/{path}")
        page.evaluate("window.kept = true")
    for happens, badge, texts in STAGES:
        site.python(LIVING + happens)
        for path in texts:
            pages[path].evaluate("document.body.dispatchEvent(new Event('karat:tick'))")
        for path, text in texts.items():
            expect(pages[path].locator("main")).to_contain_text(text)
            expect(pages[path].locator("#tournament-state")).to_have_text(badge)
    for page in pages.values():
        assert page.evaluate("window.kept")
        assert page.locator("[data-live]").count() == 0
    context.close()

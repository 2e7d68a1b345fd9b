"""An evening of eight entries, revealed on a wall with a phone as its remote."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.walls import NAMES, POSITION, STEP, Walls, wait_until

PHONE = {"width": 390, "height": 844}
MIN_BUTTON = 56
BUTTONS = """() => [...document.querySelectorAll(".remote :is(button, .button, summary)")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""

IDS = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  return ids.filter((id, k) => ids.indexOf(id) !== k);
}"""
PANE = """
from league.stage.models import Stage
tell(Stage.objects.get(tournament__slug="gala").pane)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Walls(tmp_path_factory.mktemp("evening"))
    try:
        yield league.make()
    finally:
        league.end()


@pytest.fixture
def phone(chromium, site):
    """The remote in another browser, signed in as the organiser."""
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_cookies([site.cookie("mira")])
    page = context.new_page()
    page.goto(f"{site.address}/tournaments/gala/remote/")
    yield page
    context.close()


def press(phone, name):
    """Press a button and wait for the answer."""
    with phone.expect_response(lambda answer: answer.request.method == "POST"):
        phone.get_by_role("button", name=name).first.tap()


def is_still(wall):
    """Whether the clock of a wall stands."""
    before = wall.evaluate(POSITION)
    wall.wait_for_timeout(300)
    return wall.evaluate(POSITION) == before


def play_match(phone, wall):
    """Show the next match: hold it, speed it up, take it back."""
    before = wall.evaluate("document.body.wall.premiere.story?.take ?? null")
    press(phone, re.compile("Next match"))
    wait_until(wall, f"(document.body.wall.premiere.story?.take ?? null) !== {json.dumps(before)}")
    expect(wall.locator(".kv-panel")).to_have_count(4)
    wait_until(wall, f"{STEP} > 1")
    press(phone, "Pause")
    # The button that takes its place has the focus.
    expect(phone.get_by_role("button", name="Play", exact=True)).to_be_focused()
    wait_until(wall, "document.body.wall.premiere.timing.since === null")
    assert is_still(wall)
    press(phone, "8×")
    press(phone, "Play")
    wait_until(wall, f"{POSITION} > 25000")
    before = wall.evaluate(POSITION)
    press(phone, "Back 10 s")
    wait_until(wall, f"{POSITION} < {before} + 5000")
    assert wall.locator(".kv-ranking").count() == 0


def reveal(phone, title):
    """Reveal in two taps; the first one says what everybody will see."""
    phone.get_by_role("link", name="Reveal next…").tap()
    expect(phone.get_by_text("This cannot be undone.")).to_be_visible()
    expect(phone.get_by_role("link", name="Not yet")).to_be_focused()
    press(phone, f"Yes, reveal {title}")
    expect(phone.get_by_text(f"Revealed {title}.")).to_be_visible()
    # The page looks again every five seconds; what was said stays until it can be read.
    with phone.expect_response(lambda answer: answer.request.method == "GET"):
        phone.evaluate("document.body.dispatchEvent(new Event('karat:tick'))")
    expect(phone.get_by_text(f"Revealed {title}.")).to_be_visible()


def test_an_evening_is_revealed_with_a_phone(window, phone, site):
    wall = window
    wall.set_viewport_size({"width": 1280, "height": 720})
    wall.goto(f"{site.address}/tv/?event=gala")
    wait_until(wall, "document.body.dataset.on")
    # Nothing of the evening is known yet: no match, no points.
    assert wall.evaluate("document.body.wall.premiere.story") is None
    assert min(phone.evaluate(BUTTONS)) >= MIN_BUTTON
    assert Axe().run(phone).violations_count == 0
    assert phone.evaluate(IDS) == []

    for number in (1, 2):
        play_match(phone, wall)
        press(phone, "Standings")
        expect(wall.locator('[data-pane="standings"]')).to_have_class(re.compile("tv-on"))
        reveal(phone, f"round {number}")
        for name in NAMES:
            expect(wall.locator('[data-pane="standings"]').get_by_text(name)).to_be_visible()
    expect(wall.get_by_role("heading", name="Final standings")).to_be_visible()
    expect(phone.get_by_role("link", name="Reveal next…")).to_have_count(0)
    assert not site.python("tell(Match.objects.filter(sealed=True).exists())")


def only_whole_pages(route):
    """Let no part of a page through that a tick asks for."""
    if route.request.headers.get("hx-request"):
        route.abort()
    else:
        route.continue_()


def test_of_two_phones_that_press_at_once_one_is_told_to_look_again(chromium, phone, site):
    context = chromium.new_context(viewport=PHONE, has_touch=True)
    context.add_cookies([site.cookie("mira")])
    other = context.new_page()
    # The page of the other one does not look again by itself.
    other.route("**/remote/", only_whole_pages)
    other.goto(f"{site.address}/tournaments/gala/remote/")
    press(phone, "Standings")
    press(other, "In turn")
    expect(other.get_by_text("The wall has changed meanwhile")).to_be_visible()
    assert site.python(PANE) == "standings"
    context.close()


def test_a_press_that_gets_no_answer_is_not_passed_over(phone):
    answers = [lambda route: route.abort(), lambda route: route.fulfill(status=429)]
    for answer, text in zip(answers, ("No answer.", "That was too often."), strict=True):
        phone.route("**/remote/pane/", answer)
        phone.get_by_role("button", name="In turn").tap()
        expect(phone.get_by_text(text)).to_be_visible()
        phone.unroute("**/remote/pane/")


def test_the_remote_works_without_script(chromium, site):
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    context.add_cookies([site.cookie("mira")])
    page = context.new_page()
    page.goto(f"{site.address}/tournaments/gala/remote/")
    page.get_by_role("button", name="In turn").click()
    expect(page.get_by_role("button", name="In turn")).to_have_attribute("aria-pressed", "true")
    context.close()

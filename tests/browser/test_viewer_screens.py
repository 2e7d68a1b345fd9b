"""Theatre mode, full screen, and who a viewer answers: keys, taps, axe, calm."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from engine.registry import GAMES
from tests.browser.fitting import problems
from tests.engine.tables import recorded

SEATS = {"edel-stein-reich": 5, "basari": 3, "edelsteinsuche": 2}
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 5}}


@pytest.fixture(scope="module")
def site(watching):
    records = [
        recorded(GAMES[slug], seats, "screens", SHORT.get(slug)) for slug, seats in SEATS.items()
    ]
    with watching(*records) as address:
        yield address


def opened(page, address, number=1, step=3):
    page.goto(f"{address}/?match={number}&step={step}")
    page.wait_for_selector(".kv-ready")
    page.locator(".kv-table").focus()
    return page


def step_of(page):
    return page.evaluate("document.querySelector('.kv').viewer.i")


def wait_until(page, fact):
    for _ in range(200):
        if page.evaluate(fact):
            return
        page.wait_for_timeout(25)
    raise AssertionError(fact)


def seen(page):
    """Of the parts beside the table those that are in sight."""
    parts = (".watch-head", ".kv-head", ".kv-side", ".kv-drawers", ".kv-moments")
    on_top = """(one) => {
      const { left, top, width } = one.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + 5);
      return one.checkVisibility() && one.contains(hit);
    }"""
    return [part for part in parts if page.locator(part).evaluate(on_top)]


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)], ids=["laptop", "phone"])
def test_m_leaves_only_table_caption_and_controls_until_it_is_pressed_again(window, site, size):
    window.set_viewport_size({"width": size[0], "height": size[1]})
    opened(window, site)
    before = window.locator(".kv-table").bounding_box()
    assert ".watch-head" in seen(window)
    window.keyboard.press("m")
    assert seen(window) == []
    assert problems(window, size, stride=20) == []
    room = window.locator(".kv-table").bounding_box()
    assert room["width"] * room["height"] > 1.1 * before["width"] * before["height"]
    # Nobody can get lost behind it.
    window.keyboard.press("Home")
    for _ in range(30):
        window.keyboard.press("Tab")
        assert window.evaluate("!document.activeElement.closest('.watch-head')")
    window.locator("[data-do=theatre]").click()
    assert ".watch-head" in seen(window)


def test_theatre_mode_is_remembered_and_escape_leaves_it(window, site):
    opened(window, site).keyboard.press("m")
    opened(window, site)
    assert seen(window) == []
    assert window.locator("[data-do=theatre]").get_attribute("aria-pressed") == "true"
    window.keyboard.press("Escape")
    assert ".kv-side" in seen(window)
    opened(window, site)
    assert ".kv-side" in seen(window)


def test_the_whole_screen_is_taken_by_a_key_or_a_button_and_given_back(window, site):
    opened(window, site)
    is_full = "document.fullscreenElement === document.querySelector('.kv')"
    window.keyboard.press("Shift+F")
    wait_until(window, is_full)
    assert seen(window) == []
    window.keyboard.press("Shift+F")
    wait_until(window, f"!({is_full})")
    assert ".kv-side" in seen(window)
    window.locator("[data-do=full]").click()
    wait_until(window, is_full)


def test_digits_look_through_the_eyes_of_seats_up_to_the_last(window, site):
    opened(window, site)
    for digit, view in (("5", "E"), ("1", "A"), ("6", "A"), ("0", "everything")):
        window.keyboard.press(digit)
        expect(window.locator(".kv-view")).to_have_value(view)


def test_a_tap_on_a_third_of_the_table_steps_or_plays(chromium, site):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    page = opened(context.new_page(), site, step=5)
    box = page.locator(".kv-table").bounding_box()
    y = box["y"] + box["height"] / 2

    def tap(share):
        page.touchscreen.tap(box["x"] + share * box["width"], y)
        page.wait_for_timeout(50)

    tap(0.9)
    assert step_of(page) == 6
    tap(0.1)
    tap(0.1)
    assert step_of(page) == 4
    tap(0.5)
    assert page.locator(".kv-play-word").inner_text() == "Pause"
    context.close()


def test_a_tap_in_the_strip_shows_all_that_a_seat_has(window, site):
    window.set_viewport_size({"width": 360, "height": 640})
    opened(window, site, step=0)
    hand = window.locator("#kv-seat-3 .kv-hand")
    assert hand.is_hidden()
    window.locator(".kv-strip button").nth(3).click()
    assert hand.is_visible()


@pytest.mark.parametrize("number", range(1, 4), ids=SEATS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_to_complain_about_in_theatre_mode(window, site, scheme, number):
    window.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    opened(window, site, number, step=12).keyboard.press("m")
    assert seen(window) == []
    assert Axe().run(window).response["violations"] == []


def test_with_reduced_motion_nothing_moves_when_the_room_changes(window, site):
    opened(window, site)
    for key in ("m", "ArrowRight", "m"):
        window.keyboard.press(key)
        assert window.evaluate("document.getAnimations().length") == 0

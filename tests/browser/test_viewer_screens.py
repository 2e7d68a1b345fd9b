"""Theatre mode, full screen, paper, and who a viewer answers: keys, taps, axe, calm."""

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
    opened(window, site, step=8)
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


def test_keys_work_at_once_in_theatre_mode_that_was_remembered(window, site):
    opened(window, site).keyboard.press("m")
    window.goto(f"{site}/?match=1&step=3")
    window.wait_for_selector(".kv-theatre.kv-ready")
    window.keyboard.press("b")
    assert step_of(window) != 3
    window.evaluate("document.activeElement.blur()")
    window.keyboard.press("m")
    assert ".kv-side" in seen(window)


@pytest.mark.parametrize("place", [".kv-range", ".kv-speed", "[data-do=theatre]"])
def test_escape_leaves_theatre_mode_from_anywhere_even_without_shortcuts(window, site, place):
    opened(window, site).keyboard.press("m")
    window.evaluate("document.querySelector('.kv-shortcuts').click()")
    window.locator(place).focus()
    window.keyboard.press("Escape")
    assert ".kv-side" in seen(window)


def test_whoever_was_in_the_log_is_at_the_table_in_theatre_mode(window, site):
    opened(window, site)
    window.locator(".kv-log").focus()
    window.keyboard.press("m")
    assert "kv-table" in window.evaluate("document.activeElement.className")


def test_the_strip_is_there_wherever_the_table_is_that_of_a_phone(window, site):
    opened(window, site, step=6).keyboard.press("m")
    for width in (821, 832, 844, 845):
        assert problems(window, (width, 900), stride=20) == [], width
        narrow = window.locator(".kv-table").bounding_box()["width"] < 821
        assert window.locator(".kv-strip > button").first.is_visible() == narrow, width


def test_caps_lock_does_not_turn_a_letter_into_another_key(window, site):
    opened(window, site)
    # Without Shift, as it comes with Caps Lock.
    window.keyboard.press("F")
    assert not window.evaluate("document.fullscreenElement")
    expect(window.locator(".kv-status")).to_have_text("There is none after this step.")
    window.keyboard.press("M")
    assert seen(window) == []


def test_where_there_is_no_full_screen_there_is_no_button_for_it(window, site):
    window.add_init_script(
        "Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })"
    )
    opened(window, site)
    assert window.locator("[data-do=full]").is_hidden()
    window.keyboard.press("Shift+F")
    expect(window.locator(".kv-status")).to_have_text("There is no full screen here.")


def test_a_notice_moves_nothing(window, site):
    opened(window, site)
    parts = (".kv-table", ".kv-caption", ".kv-play")
    before = [window.locator(part).bounding_box() for part in parts]
    window.evaluate("document.querySelector('.kv').viewer.notify('Link copied.')")
    assert window.get_by_text("Link copied.").is_visible()
    assert [window.locator(part).bounding_box() for part in parts] == before


def test_a_filtered_log_stays_where_the_match_is(window, site):
    opened(window, site, step=150)
    window.select_option(".kv-filter", "scoring")
    place = """() => {
      const log = document.querySelector(".kv-log"), room = log.getBoundingClientRect();
      const lines = [...log.querySelectorAll("li:not([hidden])")];
      const box = lines.findLast((one) => +one.dataset.step <= 150).getBoundingClientRect();
      return box.top >= room.top && box.bottom <= room.bottom;
    }"""
    assert window.evaluate(place)
    window.select_option(".kv-filter", "")
    assert window.evaluate(place)


def test_on_paper_stands_the_whole_log(window, site):
    opened(window, site).keyboard.press("m")
    window.emulate_media(media="print")
    assert window.locator(".kv-main").is_hidden()
    log = window.locator(".kv-log")
    assert log.evaluate("(log) => log.scrollHeight - log.clientHeight") == 0
    assert log.bounding_box()["height"] > 3000


@pytest.mark.parametrize("media", [{"contrast": "more"}, {"forced_colors": "active"}])
def test_with_more_contrast_it_is_still_seen_who_acts(window, site, media):
    window.emulate_media(**media)
    opened(window, site, step=6)
    looks = """(one) => {
      const { borderWidth, borderColor, outline } = getComputedStyle(one);
      return [borderWidth, borderColor, outline].join();
    }"""
    acting = window.locator(".kv-involved").first.evaluate(looks)
    assert acting != window.locator(".kv-panel:not(.kv-involved)").first.evaluate(looks)


def test_a_swipe_steps_wherever_it_begins_on_the_table(chromium, site):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    page = opened(context.new_page(), site, step=8)
    touch = context.new_cdp_session(page)
    for place in (".kv-bubbles", ".kv-centre"):
        box = page.locator(place).bounding_box()
        y = box["y"] + box["height"] / 2
        for kind, x in (("touchStart", 250), ("touchMove", 200), ("touchMove", 150)):
            touch.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            )
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(50)
    assert step_of(page) == 10
    context.close()

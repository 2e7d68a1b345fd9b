"""The wall in real browsers: in step, readable from afar, and as fresh after a day as at first."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.wall_scripts import (
    CLOCK,
    CUT,
    FLIGHTS,
    LETTERS,
    MESSAGES,
    PANELS,
    SCORES,
    SHOW,
    SILENT,
)
from tests.browser.walls import FIVE_SEATS, LARGE, POSITION, STEP, Walls, wait_until, watch_wall

SIZES = [(1280, 720), (1366, 768), (1920, 1080)]
PHONE = (390, 844)
PANES = ("premiere", "movers", "next", "join")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Walls(tmp_path_factory.mktemp("walls"))
    try:
        yield league.make()
    finally:
        league.end()


@pytest.fixture
def wall(window, site):
    """The wall of the league, at the beginning of a match."""
    site.set_stage(position_ms=0, running_since="timezone.now()", speed=1.0, take='F("take") + 1')
    return watch_wall(window, site)


def steps(*pages):
    return [page.evaluate(STEP) for page in pages]


def test_all_screens_show_the_same_step_and_who_comes_late_joins_there(chromium, wall, site):
    contexts = [chromium.new_context(reduced_motion="reduce") for _ in range(2)]
    other = watch_wall(contexts[0].new_page(), site)
    wall.wait_for_timeout(2500)
    late = watch_wall(contexts[1].new_page(), site)
    positions = [page.evaluate(POSITION) for page in (wall, other, late)]
    assert max(positions) - min(positions) < 600
    for _ in range(3):
        one, two, three = steps(wall, other, late)
        assert abs(one - two) <= 1
        assert abs(one - three) <= 1
        wall.wait_for_timeout(700)
    assert steps(wall)[0] > 2
    for context in contexts:
        context.close()


def look_at_panes(wall, names, sizes=SIZES):
    """Turn to each pane that is there, at all sizes. Returns those that were there."""
    there = [name for name in names if wall.locator(f'[data-pane="{name}"]').count()]
    for width, height in sizes:
        wall.set_viewport_size({"width": width, "height": height})
        for name in there:
            wall.evaluate(SHOW, name)
            wall.wait_for_timeout(100)
            assert wall.evaluate(CUT) == [], (name, width)
            if width > height:
                assert wall.evaluate(LETTERS) >= 0.03, (name, width)
    return there


def test_everything_is_large_and_nothing_lies_outside_of_the_screen(wall):
    look_at_panes(wall, PANES)
    for theme in ("dark", "light"):
        wall.emulate_media(color_scheme=theme)
        for name in PANES:
            wall.evaluate(SHOW, name)
            result = Axe().run(wall)
            assert result.violations_count == 0, f"{theme} {name}\n{result.generate_report()}"


def test_a_board_of_twenty_and_a_bracket_of_sixteen_fit_with_what_was_just_revealed(window, site):
    gala, cup = site.python(LARGE)
    for event, pane in ((gala, "standings"), (cup, "bracket")):
        window.goto(f"{site.address}/tv/?event={event}")
        wait_until(window, "document.body.dataset.on")
        assert pane in look_at_panes(window, ("standings", "bracket", "join"), [*SIZES, PHONE])
        assert Axe().run(window).violations_count == 0
    assert window.get_by_text("and 2 more").count() == 4


def test_the_scores_of_many_seats_are_seen(wall, site):
    match = site.python(FIVE_SEATS)
    site.set_stage(match_id=match, position_ms=0, running_since="None", take='F("take") + 1')
    for width, height in SIZES:
        wall.set_viewport_size({"width": width, "height": height})
        wait_until(wall, "document.querySelectorAll('.kv-panel').length === 5")
        assert wall.evaluate(SCORES) == [True] * 5, width


def test_without_script_it_is_a_page_to_be_refreshed(chromium, wall, site):
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto(f"{site.address}/tv/")
    assert page.get_by_role("link", name="Refresh").is_visible()
    assert page.locator(".tv-told li").count() > 0
    assert page.get_by_role("heading", name="Next events").is_visible()
    context.close()


def test_a_browser_that_gets_no_stream_asks_and_sees_the_same(chromium, wall, site):
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()

    def refuse(route):
        if route.request.headers.get("accept") == "text/event-stream":
            route.fulfill(status=503, headers={"Retry-After": "30"})
        else:
            route.continue_()

    page.route("**/tv/live*", refuse)
    watch_wall(page, site)
    before = page.evaluate(STEP)
    page.wait_for_timeout(3500)
    assert page.evaluate(STEP) > before
    assert abs(page.evaluate(STEP) - wall.evaluate(STEP)) <= 1
    context.close()


def test_a_new_deployment_reloads_the_page_once(wall):
    loads = []
    wall.on("load", lambda _: loads.append(1))
    wall.evaluate("document.body.wall.version = 'an old one'")
    wait_until(wall, f"document.body.wall?.version !== 'an old one' && {STEP} >= 0")
    # While servers are being replaced, an old one may answer next.
    state = {"version": "an old one", "premiere": None, "pane": "join", "panels": {}}
    wall.evaluate("(state) => document.body.wall.take(state)", state)
    wall.wait_for_timeout(1500)
    assert len(loads) == 1


def test_a_screen_keeps_what_it_shows_while_the_server_restarts(chromium, site):
    # Not in the window that fails with every message of a browser: it misses its server.
    context = chromium.new_context(reduced_motion="reduce")
    site.set_stage(position_ms=0, running_since="timezone.now()", speed=1.0, take='F("take") + 1')
    wall = watch_wall(context.new_page(), site)
    site.end_web()
    wall.wait_for_timeout(3000)
    held = wall.evaluate(STEP)
    assert wall.locator(".kv-panel").first.is_visible()
    expect(wall.locator("[data-status]")).to_have_text("Reconnecting…", timeout=20_000)
    site.serve_web()
    # Without a connection it would know only what was out before.
    wait_until(wall, f"{STEP} > {held} + 3")
    expect(wall.locator("[data-status]")).to_have_text("")
    context.close()


def test_a_stream_that_says_nothing_is_replaced_by_questions_until_it_speaks(chromium, site):
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.clock.install()
    page.add_init_script(SILENT)
    page.goto(f"{site.address}/tv/")
    wait_until(page, "document.body.wall")
    assert page.evaluate("document.body.wall.feed.polling") is None
    page.clock.fast_forward(26_000)
    wait_until(page, "document.body.dataset.on")
    assert page.evaluate("document.body.wall.feed.polling !== null")
    page.evaluate("document.body.wall.feed.hearStream(Date.now())")
    assert page.evaluate("document.body.wall.feed.polling") is None
    context.close()


def test_a_pane_that_could_not_be_loaded_is_asked_for_again_and_a_late_one_stays_behind(wall):
    result = wall.evaluate(PANELS)
    assert result == {"asked": ["one", "two", "two"], "retries": True, "on": "two", "isSame": True}


def test_the_wall_keeps_the_time_of_the_server_and_its_picture_until_another_match_is_there(wall):
    wait_until(wall, f"{STEP} > 1")
    result = wall.evaluate(CLOCK)
    assert result["early"] == 5000, "a clock that is set for later"
    assert result["isServerTime"]
    assert result["after"] == result["i"]


def test_a_message_takes_no_gem_out_of_the_air(chromium, site):
    context = chromium.new_context()
    page = watch_wall(context.new_page(), site)
    site.set_stage(position_ms=10**7, running_since="None", speed=1.0, take='F("take") + 1')
    wait_until(page, "document.body.wall.premiere.story?.values.result")
    before, after = page.evaluate(FLIGHTS)
    assert before == after > 0
    context.close()


def measure(window, session):
    """Return bytes in use after the garbage was collected, and nodes, listeners and documents."""
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.collectGarbage")
    facts = session.send("Performance.getMetrics")["metrics"]
    names = ("JSHeapUsedSize", "Nodes", "JSEventListeners", "Documents")
    return {one["name"]: one["value"] for one in facts if one["name"] in names}


def test_thirty_minutes_of_messages_take_no_more_memory_than_five(window, site):
    """1,800 messages: eighteen matches one after the other, and all panes in between."""
    watch_wall(window, site)
    site.set_stage(position_ms=10**7, running_since="None", speed=1.0, take='F("take") + 1')
    wait_until(window, "document.body.wall.premiere.story.values.result")
    session = window.context.new_cdp_session(window)
    session.send("Performance.enable")
    taken = {}
    for first, last in ((0, 300), (300, 1800)):
        step, count, total = window.evaluate(MESSAGES, [first, last])
        assert count == total, "the last match came to its end"
        assert step > 0.9 * total
        taken[last] = measure(window, session)
    growth = {name: taken[1800][name] / taken[300][name] for name in taken[300]}
    assert growth["JSHeapUsedSize"] < 1.25, taken
    assert growth["Nodes"] < 1.5, taken
    assert growth["JSEventListeners"] < 1.2, taken
    assert growth["Documents"] == 1, taken

"""The wall in real browsers: in step, readable from afar, and as fresh after a day as at first."""

import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.walls import POSITION, STEP, Walls, wait_until, watch_wall

SIZES = [(1280, 720), (1920, 1080)]
PANES = ("premiere", "movers", "next", "join")
SHOW = """(name) => {
  const { panes, feed } = document.body.wall;
  feed.take = () => {};
  panes.turn(name);
}"""
TURN = """(name) => {
  const { panes } = document.body.wall;
  return panes.show(name, panes.panels);
}"""
# The smallest letters of what is read from ten metres, as shares of the height. Those of the table
# itself are as large as its seats allow.
LETTERS = """() => {
  const large = ".tv-on :is(h2, tbody th, tbody td, li, p), .tv-caption, .tv-head h1";
  const seen = [...document.querySelectorAll(large)].filter((node) =>
    node.textContent.trim() && !node.closest(".kv-quiet, .kv-board")
    && node.checkVisibility({ visibilityProperty: true }));
  return Math.min(...seen.map((node) => parseFloat(getComputedStyle(node).fontSize) / innerHeight));
}"""
FITS = """() => document.documentElement.scrollHeight <= innerHeight
  && document.documentElement.scrollWidth <= innerWidth
  && [...document.querySelectorAll(".tv-on, .tv-foot, .kv-felt")].every((node) => {
    const { top, left, right, bottom } = node.getBoundingClientRect();
    return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight;
  })"""


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


def test_everything_is_large_and_nothing_lies_outside_of_the_screen(wall):
    for width, height in SIZES:
        wall.set_viewport_size({"width": width, "height": height})
        for name in PANES:
            if not wall.locator(f'[data-pane="{name}"]').count():
                continue
            wall.evaluate(SHOW, name)
            wall.wait_for_timeout(100)
            assert wall.evaluate(FITS), (name, width)
            assert wall.evaluate(LETTERS) >= 0.03, (name, width)
    for theme in ("dark", "light"):
        wall.emulate_media(color_scheme=theme)
        for name in PANES:
            wall.evaluate(SHOW, name)
            result = Axe().run(wall)
            assert result.violations_count == 0, f"{theme} {name}\n{result.generate_report()}"


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
    wall.evaluate("document.body.wall.version = 'an old one'")
    wall.wait_for_timeout(2500)
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
    site.serve_web()
    # Without a connection it would know only what was out before.
    wait_until(wall, f"{STEP} > {held} + 3")
    context.close()


def measure(window, session):
    """Return bytes in use after the garbage was collected, and nodes, listeners and documents."""
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.collectGarbage")
    facts = session.send("Performance.getMetrics")["metrics"]
    names = ("JSHeapUsedSize", "Nodes", "JSEventListeners", "Documents")
    return {one["name"]: one["value"] for one in facts if one["name"] in names}


def test_thirty_minutes_take_no_more_memory_than_five(window, site):
    """Matches a hundred times as fast, one after the other, and all panes in between."""
    watch_wall(window, site)
    session = window.context.new_cdp_session(window)
    session.send("Performance.enable")
    taken, begun = {}, time.monotonic()
    for minute in range(1, 31):
        # A minute of a match passes in 0.6 seconds.
        site.set_stage(
            position_ms=(minute % 2) * 60_000,
            running_since="timezone.now()",
            speed=100.0,
            take='F("take") + 1',
        )
        window.evaluate(TURN, PANES[minute % len(PANES)])
        window.wait_for_timeout(max(0, (begun + 0.6 * minute - time.monotonic()) * 1000))
        if minute in (5, 30):
            taken[minute] = measure(window, session)
    growth = {name: taken[30][name] / taken[5][name] for name in taken[5]}
    assert growth["JSHeapUsedSize"] < 1.25, taken
    assert growth["Nodes"] < 1.5, taken
    assert growth["JSEventListeners"] < 1.2, taken
    assert growth["Documents"] == 1, taken

"""What holds for all pages, in a real browser: width, access, weight, silence, live parts."""

import gzip
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.shown import Shown

# One league is served for all of them.
PAGES = [
    "/",
    "/g/basari/",
    "/g/edel-stein-reich/cards/",
    "/g/basari/leaderboard/",
    "/bots/",
    "/docs/",
    "/docs/ratings/",
    "/docs/rules/basari/",
    "/docs/errors/E302/",
    "/search/?q=barter",
    "/status/",
    "/staff/",
    "/staff/bots/1/",
    "/staff/bots/1/rename/",
    "/docs/components/",
    "/nowhere/",
]
READING = {"/docs/", "/docs/ratings/", "/docs/rules/basari/", "/docs/errors/E302/"}
WIDTHS = (1280, 820, 640, 390, 320)
"""640 is what a window of 1280 has at a zoom of 200 %."""
KILOBYTE = 1024
SHIFTED = """new Promise((tell) => {
    let sum = 0;
    const watch = (list) => list.getEntries().forEach((one) => { sum += one.value; });
    new PerformanceObserver(watch).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => tell(sum), 300);
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Shown(tmp_path_factory.mktemp("shown"))
    try:
        league.fill()
        league.serve()
        yield league
    finally:
        league.end()


@pytest.fixture(scope="module")
def staff(site):
    return site.cookie("mira")


@pytest.fixture
def opened(chromium, site, staff):
    """Opens pages in windows of their own, and remembers all that went over the wire."""
    contexts = []

    def open_page(path, *, script=True):
        context = chromium.new_context(
            viewport={"width": 1280, "height": 900},
            color_scheme="light",
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        contexts.append(context)
        context.add_cookies([staff])
        page = context.new_page()
        page.said, page.answers = [], []
        page.on("console", lambda said: page.said.append(said.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("response", lambda answer: page.answers.append(answer))  # noqa: PLW0108  no attributes
        page.goto(f"{site.address}{path}")
        page.wait_for_load_state("networkidle")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_light_silent_well_formed_reachable_and_fits_every_width(opened, site, path):
    page = opened(path)
    assert {urlsplit(answer.url).netloc for answer in page.answers} == {
        urlsplit(site.address).netloc
    }
    assert len(page.said) == (1 if path == "/nowhere/" else 0), page.said
    check_weight(page, site, path)
    check_structure(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wider) == 0, width
    check_access(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="dark")
    check_access(page)


def check_access(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def check_structure(page):
    found = page.locator("main :is(h1, h2, h3, h4)")
    levels = [int(tag[1]) for tag in found.evaluate_all("all => all.map(one => one.tagName)")]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.locator("header.masthead, main, footer").count() == 3
    assert "Karat" in page.title()


def check_weight(page, site, path):
    weights = {answer.url: weight(answer) for answer in page.answers}
    assert len(weights) <= 8, list(weights)
    assert weights[f"{site.address}{path}"] <= 30 * KILOBYTE
    assert sum(weights.values()) < (60 if path in READING else 100) * KILOBYTE, weights


def weight(answer):
    """What a compressing server sends of it."""
    body = answer.body()
    if "content-encoding" in answer.headers:
        return int(answer.headers.get("content-length") or len(gzip.compress(body)))
    return len(gzip.compress(body))


def test_every_document_fits_a_phone(opened):
    page = opened("/docs/")
    links = page.locator("main a[href^='/docs/']").evaluate_all("all => all.map(one => one.href)")
    page.set_viewport_size({"width": 320, "height": 700})
    wide = []
    for address in {link.split("#")[0] for link in links}:
        page.goto(address)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(address)
    assert len(links) > 10
    assert not wide


def test_without_script_the_home_page_tells_the_result_and_how_it_ended(opened):
    page = opened("/", script=False)
    # Whose bot has played sees it at once; a guest asks.
    page.context.clear_cookies()
    page.reload()
    page.locator(".on-table .spoiler summary >> visible=true").click()
    expect(page.locator(".on-table .placed").get_by_text("1st").first).to_be_visible()
    assert page.locator(".sentences li").count() == 4


def test_without_script_ladders_and_bots_tell_everything(opened):
    board = opened("/g/basari/leaderboard/", script=False)
    assert board.get_by_role("link", name="Sapphire Shark", exact=True).is_visible()
    assert board.locator("#board svg.interval").count() == board.locator("#board th.who").count()
    bot = opened("/bots/sapphire-shark/", script=False)
    for part in ("How it plays", "Head to head", "Recent matches", "Faults"):
        assert bot.get_by_role("heading", name=part).first.is_visible(), part
    assert bot.get_by_role("link", name="table view").is_visible()
    assert bot.get_by_role("link", name="replay").count() == 10


def test_the_table_of_the_home_page_comes_to_life(opened):
    page = opened("/")
    page.wait_for_selector(".kv-ready")
    step = int(page.locator("[data-begin]").get_attribute("data-begin"))
    page.locator("[data-do=on]").click()
    assert page.locator(".kv-count").inner_text().split()[0] == str(step + 1)


def test_the_skip_link_is_the_first_stop_and_works(opened):
    page = opened("/docs/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize("script", [True, False])
def test_the_theme_that_is_not_in_force_is_offered_and_remembered(opened, script):
    for system, other in (("light", "dark"), ("dark", "light")):
        page = opened("/docs/", script=script)
        page.emulate_media(color_scheme=system)
        offered = page.locator("form.theme button:visible")
        assert offered.inner_text().lower().split() == [other, "theme"]
        offered.click()
        chosen = page.locator(f"html[data-theme={other}]")
        chosen.wait_for()
        page.reload()
        assert chosen.count() == 1
        assert offered.get_attribute("value") == system


def test_nothing_jumps_while_live_parts_arrive(opened, site):
    page = opened("/g/basari/leaderboard/")
    page.mouse.move(0, 0)
    for _ in range(3):
        site.python("Entry.objects.filter(ladder='basari').update(matches=F('matches') + 1)")
        with page.expect_response("**/leaderboard/"):
            page.evaluate("document.body.dispatchEvent(new Event('karat:tick'))")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFTED) <= 0.02


def test_rows_do_not_move_under_the_pointer(opened, site):
    page = opened("/g/basari/leaderboard/")
    page.locator("#board tbody tr").first.hover()
    site.python("Entry.objects.filter(ladder='basari').update(matches=F('matches') + 40)")
    page.evaluate("document.body.dispatchEvent(new Event('karat:tick'))")
    button = page.locator("button.waiting")
    button.wait_for()
    assert "update" in button.inner_text()
    before = page.locator("#board").inner_text()
    button.click()
    assert page.locator("#board").inner_text() != before

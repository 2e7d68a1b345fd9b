"""Results that wait to be asked for, in a real browser: closed, opened, and what it remembers."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.shown import Shown

# One league is served for all of them.
MADE = """
from league.tournaments.services import entries, lifecycle

players = [factories.make_player(factories.make_user("mira"), "Sapphire Shark")]
players += [factories.make_player(None, name) for name in ("Anton", "Ottilie", "Zita")]
match = factories.make_match(players[:3], "edelsteinsuche")
factories.rate_all("edelsteinsuche")
config = {"format": "swiss", "seats": 3, "rounds": 2, "deals": 4}
tom = factories.make_user("tom")
cup = factories.make_tournament(tom, "Window Cup", config=config)
lifecycle.publish(cup, cup.organiser)
for bot in players:
    entries.enter(cup, bot, None)
lifecycle.lock(cup)
lifecycle.start(cup)
factories.finish_match(Match.objects.queued().first())
tell(match.pk)
"""
PLAY_ANOTHER = "factories.finish_match(Match.objects.queued().first())"
TICK = "document.body.dispatchEvent(new Event('karat:tick'))"
ALWAYS = "localStorage.setItem('karat-results', 'shown')"
FIRST_FRAME = """
const read = () => document.querySelector("details[data-spoiler]")?.open;
requestAnimationFrame(() => { document.documentElement.dataset.openInFirstFrame = read(); });
"""
PARTS = """() => [...document.querySelectorAll(".kv [data-told]")].map((part) => ({
  from: +part.dataset.from, told: part.dataset.told, title: part.getAttribute("title"),
  words: (part.lastElementChild ?? part).textContent, isLink: part.matches("a"),
}))"""
CHOICE = "Always show results"
CUP = "/tournaments/window-cup/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Shown(tmp_path_factory.mktemp("spoilers"))
    try:
        league.create()
        league.collect_static()
        league.match = f"/matches/{league.python(MADE)}/"
        league.serve()
        yield league
    finally:
        league.end()


def result_of(page):
    return page.locator(".match-more .spoiler")


def charts_of(page):
    return page.locator(".match-viewer .spoiler:has(.kv-drawers)")


def open_match(page, site, query=""):
    page.goto(f"{site.address}{site.match}{query}")
    page.wait_for_selector(".kv-ready")
    return page


def jump(page, step):
    page.evaluate("(step) => document.querySelector('.kv').viewer.jump(step)", step)


def last_step(page):
    return page.evaluate("document.querySelector('.kv').viewer.last")


def test_the_result_opens_when_the_end_is_reached_and_the_viewer_stays_where_it_is(site, window):
    open_match(window, site)
    expect(result_of(window).get_by_role("table").first).to_be_hidden()
    expect(charts_of(window).locator(".kv-drawers")).to_be_hidden()
    board = "document.querySelector('.kv-main').getBoundingClientRect().top + scrollY"
    top = window.evaluate(board)
    jump(window, last_step(window) - 1)
    expect(result_of(window).get_by_role("table").first).to_be_hidden()
    window.keyboard.press("ArrowRight")
    expect(result_of(window).get_by_role("table").first).to_be_visible()
    expect(charts_of(window).locator(".kv-drawers")).to_be_visible()
    assert window.evaluate(board) == top
    # Whoever saw the end finds the result open on other pages too, as long as this window is there.
    window.goto(f"{site.address}/matches/")
    row = window.locator("tr", has=window.locator(f"a.target[href='{site.match}']"))
    expect(row.get_by_text("1st").first).to_be_visible()


def test_the_button_opens_all_that_tells_the_result_and_stays_under_the_pointer(site, window):
    open_match(window, site)
    button = result_of(window).locator("> summary")
    button.scroll_into_view_if_needed()
    top = button.bounding_box()["y"]
    button.click()
    expect(result_of(window).get_by_role("table").first).to_be_visible()
    expect(charts_of(window).locator(".kv-drawers")).to_be_visible()
    assert abs(button.bounding_box()["y"] - top) < 1
    # Another view is fetched from the server; what was opened stays open.
    window.select_option(".kv-view", "public")
    expect(window.locator("#log-2 .kv-said")).to_contain_text("hidden card")
    expect(charts_of(window).locator(".kv-drawers")).to_be_visible()
    expect(window.locator(".kv-head .spoiler")).to_have_attribute("open", "")


def test_the_keyboard_opens_a_result(site, window):
    open_match(window, site)
    result_of(window).locator("> summary").focus()
    window.keyboard.press("Enter")
    expect(result_of(window).get_by_role("table").first).to_be_visible()


def test_a_link_to_a_step_does_not_pass_on_that_the_result_was_asked_for(site, window):
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_match(window, site, "?result=1&step=4")
    expect(window.locator(".result-line")).to_contain_text("1st")
    window.locator(".kv-range").focus()
    window.keyboard.press("c")
    expect(window.locator(".kv-status")).to_have_text("Link copied.")
    copied = window.evaluate("navigator.clipboard.readText()")
    assert copied == f"{site.address}{site.match}?step=4"


def test_the_address_of_the_last_step_is_that_of_the_match_unless_the_result_was_asked_for(
    site, window
):
    address = f"{site.address}{site.match}"
    for query, ending in (("", ""), ("?result=1", "?result=1&step={last}")):
        open_match(window, site, query)
        jump(window, 4)
        expect(window).to_have_url(f"{address}{query}{'&' if query else '?'}step=4")
        jump(window, last_step(window))
        expect(window).to_have_url(f"{address}{ending.format(last=last_step(window))}")


def test_what_lies_ahead_has_neutral_words_until_it_was_watched(site, window):
    open_match(window, site)
    last, neutral = last_step(window), window.evaluate(PARTS)
    assert any(part["words"] != part["told"] for part in neutral)
    middle = last // 2
    for furthest, step in ((middle, middle), (middle, 1), (last, last), (last, 2)):
        jump(window, step)
        for before, part in zip(neutral, window.evaluate(PARTS), strict=True):
            is_known = part["from"] <= furthest
            assert part["words"] == (part["told"] if is_known else before["words"])
            assert bool(part["title"]) is (is_known and part["isLink"])


@pytest.mark.parametrize(
    ("page", "summary"), [(CUP, "Show standings"), (f"{CUP}rounds/1/", "Show result of pod A")]
)
def test_what_was_opened_stays_open_when_live_parts_arrive(site, window, page, summary):
    window.goto(f"{site.address}{page}")
    details = window.locator("main .spoiler").first
    expect(details.locator(".number").first).to_be_hidden()
    button = details.locator("> summary")
    expect(button).to_have_text(summary)
    button.click()
    # A part under the pointer, or with the focus in it, would wait behind a button.
    window.mouse.move(0, 0)
    window.evaluate("document.activeElement.blur()")
    details.evaluate("one => { one.dataset.formerly = ''; }")
    before = details.text_content()
    site.python(PLAY_ANOTHER)
    window.evaluate(TICK)
    expect(window.locator("[data-formerly]")).to_have_count(0)
    expect(details.locator(".number").first).to_be_visible()
    assert details.text_content() != before


def test_what_was_opened_stays_open_when_an_update_waited_for_the_pointer(site, window):
    window.goto(f"{site.address}{CUP}")
    details = window.locator("main .spoiler").first
    details.locator("> summary").click()
    site.python(PLAY_ANOTHER)
    window.evaluate(TICK)
    window.locator("button.waiting").click()
    expect(details.locator(".number").first).to_be_visible()


def test_the_choice_is_remembered_and_opens_results_before_the_first_frame(site, window):
    window.goto(f"{site.address}/matches/")
    rows = window.locator(".feed .spoiler")
    expect(rows.first.locator("ol")).to_be_hidden()
    window.get_by_label(CHOICE).check()
    for row in range(rows.count()):
        expect(rows.nth(row).locator("ol")).to_be_visible()
    window.context.add_init_script(FIRST_FRAME)
    # However late the script comes, nothing is painted before it ran.
    window.route("**/concatenated/karat*.js", lambda route: slowly(window, route))
    for page in (site.match, CUP, "/matches/", "/"):
        window.goto(f"{site.address}{page}")
        expect(window.locator("html")).to_have_attribute("data-open-in-first-frame", "true")
    window.get_by_label(CHOICE).uncheck()
    expect(window.locator(".on-table > div .spoiler ol").first).to_be_hidden()
    window.reload()
    expect(window.locator(".on-table > div .spoiler ol").first).to_be_hidden()


def slowly(window, route):
    window.wait_for_timeout(200)
    route.continue_()


def test_a_page_that_the_browser_kept_follows_what_was_chosen_meanwhile(site, window):
    window.goto(f"{site.address}/matches/")
    row = window.locator(".feed .spoiler").first
    kept = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    for chosen, is_open in (("shown", True), ("hidden", False)):
        window.evaluate(f"localStorage.setItem('karat-results', '{chosen}'); {kept}")
        expect(row.locator("ol")).to_be_visible(visible=is_open)
    name = row.get_attribute("data-spoiler")
    choices = f"JSON.stringify({{ '{name}': true }})"
    window.evaluate(f"sessionStorage.setItem('karat-spoilers', {choices}); {kept}")
    expect(row.locator("ol")).to_be_visible()


def test_without_javascript_results_open_by_a_click(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    for path, inside in ((site.match, ".ledger"), ("/matches/", "ol"), (CUP, ".ledger")):
        page.goto(f"{site.address}{path}")
        assert page.get_by_label(CHOICE).count() == 0 or page.get_by_label(CHOICE).is_hidden()
        details = page.locator("main details[data-spoiler] >> visible=true").last
        expect(details.locator(inside).first).to_be_hidden()
        details.locator("> summary").click()
        expect(details.locator(inside).first).to_be_visible()
    context.close()


def test_closed_and_open_results_are_open_to_everybody_and_fit_a_phone(site, window):
    for prepare in ("", ALWAYS):
        for path in (site.match, "/matches/", CUP):
            window.goto(f"{site.address}{path}")
            window.evaluate(prepare)
            window.reload()
            for theme in ("dark", "light"):
                window.emulate_media(color_scheme=theme)
                found = Axe().run(window, ".spoiler, .results-choice, .players")
                assert found.violations_count == 0, f"{path}\n{found.generate_report()}"
            window.set_viewport_size({"width": 320, "height": 800})
            assert window.evaluate("document.documentElement.scrollWidth") <= 320, path
            window.set_viewport_size({"width": 1280, "height": 900})

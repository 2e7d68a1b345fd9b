"""The playground in a real browser, with a real worker: edit, run, watch, err, upload."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.author_site import Site, faults_of, tab_to
from tests.browser.fitting import problems

PRINT = '        print("I may", options)\n        self.note("by chance")\n        return self.rng'
MISTAKE = "        return options[40]  # self.rng"
SOON = 30_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("playground"))
    try:
        site.create()
        site.serve()
        site.start("worker", "--processes", "1")
        yield site
    finally:
        site.end()


def edit(page, new):
    code = page.input_value("#id_code")
    page.fill("#id_code", code.replace("        return self.rng", new, 1))


def run(page):
    page.click("[data-run]")
    expect(page.locator(".kv-ready")).to_be_visible(timeout=SOON)


def test_a_guest_edits_runs_watches_errs_and_takes_the_code_to_sign_up(window, site):
    page = window
    page.goto(f"{site.address}/play/?game=basari")
    edit(page, PRINT)
    page.focus("#id_code")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".kv-ready")).to_be_visible(timeout=SOON)
    expect(page.locator("#run-line")).to_have_text(
        re.compile(r"^\s*\d\w\w of 3,\s+\d+ decisions,\s+slowest\s+[\d.]+\sms,\s+no faults\s*$")
    )
    entry = page.locator("[data-entry]").nth(3)
    expect(entry).to_contain_text("I may ['")
    expect(entry).to_contain_text("by chance")
    entry.locator("a").click()
    expect(entry).to_have_attribute("aria-current", "step")
    step = entry.get_attribute("data-entry")
    expect(page.locator(".kv-count")).to_have_text(re.compile(rf"^{step} / \d+$"))
    seed = page.locator(".deal code").inner_text()

    page.fill("#id_code", page.input_value("#id_code").replace(PRINT, MISTAKE))
    page.get_by_role("button", name="Same deal again").click()
    message = page.locator(".fault .message")
    expect(message).to_contain_text("E303 Your bot raised an exception", timeout=SOON)
    expect(message).to_contain_text("IndexError")
    expect(page.locator(".deal code")).to_have_text(seed)
    heights = [page.locator(name).bounding_box()["height"] for name in ("textarea.code", ".kv")]
    assert min(heights) > 130
    page.get_by_role("link", name=re.compile("Go to line")).click()
    assert "options[40]" in page.evaluate(
        """() => { const box = document.getElementById("id_code");
        return box.value.slice(box.selectionStart).split("\\n")[0]; }"""
    )
    page.click("summary:text('Traceback')")
    expect(page.locator(".fault pre").last).to_contain_text('File "bot.py", line')

    code = page.input_value("#id_code")
    page.click("text=Upload to the league")
    expect(page.locator("#id_code")).to_have_value(code)
    page.fill("#id_name", "Playground Shark")
    page.get_by_role("button", name="Check and upload").click()
    expect(page.locator("h1")).to_have_text("Sign up")
    page.goto(f"{site.address}/bots/new/")
    expect(page.locator("#id_code")).to_have_value(code)


def test_what_is_no_python_is_explained_beside_the_code_and_a_replay_comes_back(window, site):
    page = window
    page.goto(f"{site.address}/play/")
    run(page)
    good = page.input_value("#id_code")
    page.fill("#id_code", "class MyBot(:\n")
    page.click("[data-run]")
    expect(page.locator("#run")).to_contain_text("E101 Python cannot read the file")
    expect(page.locator("#run-line")).to_contain_text("Not run.")
    page.fill("#id_code", good)
    run(page)
    expect(page.locator("#run-line")).to_contain_text("no faults")


def test_changing_the_game_swaps_the_starter_but_never_code_that_was_edited(window, site):
    page = window
    page.goto(f"{site.address}/play/")
    page.select_option("#id_game", "edelsteinsuche")
    expect(page.locator("#id_code")).to_have_value(re.compile("EdelsteinsucheBot"))
    expect(page.locator("[data-opponents] select")).to_have_count(3)
    page.fill("#id_code", "# mine\n")
    page.select_option("#id_game", "basari")
    expect(page.locator("#id_code")).to_have_value("# mine\n")
    page.reload()
    expect(page.locator("#id_code")).to_have_value("# mine\n")
    expect(page.locator("#id_game")).to_have_value("basari")


def test_code_and_replay_stand_side_by_side_in_one_window(chromium, site):
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.goto(f"{site.address}/play/?game=basari")
    run(page)
    boxes = {
        name: page.locator(name).bounding_box()
        for name in ("textarea.code", "[data-run]", ".kv-caption", ".kv-play", "#bot-log")
    }
    context.close()
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 768 for box in boxes.values()), boxes
    assert boxes["textarea.code"]["x"] + boxes["textarea.code"]["width"] < boxes[".kv-play"]["x"]
    assert boxes["textarea.code"]["height"] > 200


@pytest.mark.parametrize(
    "size", [(320, 700), (390, 844), (1366, 768)], ids=lambda size: str(size[0])
)
def test_everybody_can_use_it_before_and_after_a_run(chromium, site, size):
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{site.address}/play/?game=basari")
    wrong = list(faults_of(page))
    edit(page, PRINT)
    tab_to(page, "[data-run]")
    page.keyboard.press("Enter")
    expect(page.locator(".kv-ready")).to_be_visible(timeout=SOON)
    wrong += faults_of(page)
    context.close()
    assert not wrong


def test_theatre_mode_never_hides_the_code_for_good(window, site):
    page = window
    page.goto(f"{site.address}/play/?game=basari")
    run(page)
    page.locator(".kv-table").focus()
    page.keyboard.press("m")
    assert page.locator("#playground").evaluate("(form) => Boolean(form.closest('[inert]'))")
    seed = page.locator(".deal code").inner_text()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".deal code")).not_to_have_text(seed, timeout=SOON)
    expect(page.locator(".kv-ready")).to_be_visible()
    assert page.locator("[inert]").count() == 0
    # On pages of matches it is remembered; here the code is what one comes for.
    page.get_by_role("link", name="Link to this run").click()
    expect(page.locator(".kv-ready")).to_be_visible()
    assert page.evaluate("localStorage.getItem('karat-theatre')") == "on"
    assert page.locator(".kv-theatre").count() == 0


def test_wide_enough_for_the_code_the_table_is_whole(chromium, site):
    context = chromium.new_context(
        viewport={"width": 1920, "height": 1080}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{site.address}/play/?game=basari")
    run(page)
    found = problems(page, (1920, 1080), stride=20)
    panels, seats = page.locator(".kv-panel:visible").count(), page.locator(".kv-panel").count()
    context.close()
    assert found == []
    assert panels == seats

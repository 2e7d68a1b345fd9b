"""The way of an author in a real browser: from a guest's pasted code to a rating."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.author_site import SEND, Site, faults_of, tab_to

# One league is served for all of them.
BOT = """from bots_sdk.games.basari import BasariBot


class Shark(BasariBot):
    pass
"""
BROKEN = "import random\n\n\ndef decide(self, view, options)\n    return options[0]\n"
CHECK = "checks.run(checks.claim())"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        site.create()
        site.serve()
        yield site
    finally:
        site.end()


def type_into(page, selector, text):
    tab_to(page, selector)
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def test_a_guest_comes_to_a_rating_with_the_keyboard_alone(window, site):
    page = window
    page.goto(f"{site.address}/bots/new/")
    type_into(page, "#id_name", "Keyboard Shark")
    type_into(page, "#id_code", BOT)
    expect(page.locator("#findings")).to_contain_text("Shark plays Basari")
    tab_to(page, SEND)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Sign up")
    type_into(page, "#id_username", "keyboard")
    type_into(page, "#id_password", "a fine long one")
    page.keyboard.press("Enter")
    # Signing up was the last thing to do: the upload goes on by itself.
    expect(page.locator("#pipeline")).to_contain_text("You are number 1 in the queue")
    site.python(CHECK)
    # The page looks again by itself.
    expect(page.locator("#passed")).to_have_text("It plays", timeout=15_000)
    expect(page.locator(".steps li.ok")).to_have_count(8)
    tab_to(page, "main a[href='/me/']")
    site.python("""
        shark = Bot.objects.get(slug="keyboard-shark")
        players = [shark, factories.make_player(), factories.make_player()]
        factories.make_match(players)
        factories.rate_all()
    """)
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="Keyboard Shark")).to_contain_text("1 of 30 matches")


def test_a_name_that_is_taken_is_found_after_signing_up_and_everything_is_kept(chromium, site):
    site.python('factories.make_bot(factories.make_user(), "Taken Shark")')
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{site.address}/bots/new/")
    page.fill("#id_name", "Taken Shark")
    page.fill("#id_code", BOT)
    page.fill("#id_note", "first try")
    page.click(SEND)
    page.fill("#id_username", "second")
    page.fill("#id_password", "a fine long one")
    page.click("main button")
    expect(page.locator("main .notice.message")).to_contain_text("There is a bot Taken Shark")
    expect(page.locator("#id_code")).to_have_value(BOT)
    expect(page.locator("#id_note")).to_have_value("first try")
    page.fill("#id_name", "Free Shark")
    page.click(SEND)
    expect(page.locator("#pipeline")).to_be_visible()
    context.close()


def test_a_file_that_is_too_large_is_refused_at_once_and_the_code_stays(window, site):
    page = window
    page.goto(f"{site.address}/bots/new/?game=basari")
    before = page.input_value("#id_code")
    large = {"name": "big.py", "mimeType": "text/x-python", "buffer": b"# x\n" * (5 << 18)}
    page.set_input_files("#id_file", large)
    expect(page.locator("#findings")).to_contain_text("big.py has 5,120 KB, and the limit is")
    expect(page.locator("#id_code")).to_have_value(before)
    expect(page.locator("#id_file")).to_have_value("")


def test_the_same_way_works_without_javascript(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.address}/bots/new/?game=basari")
    assert "BasariBot" in page.input_value("#id_code")
    page.fill("#id_code", BROKEN)
    page.click("[data-check]")
    expect(page.locator("#findings")).to_contain_text("Line 4, column 32")
    expect(page.locator("#id_code")).to_have_value(BROKEN)
    page.fill("#id_name", "Quiet Shark")
    page.set_input_files("#id_file", {"name": "b.py", "mimeType": "", "buffer": BOT.encode()})
    page.click(SEND)
    page.fill("#id_username", "quiet")
    page.fill("#id_password", "a fine long one")
    page.click("main button")
    expect(page.locator("#pipeline")).to_be_visible()
    site.python("""
        BotVersion.objects.filter(bot__slug="quiet-shark").update(
            status="rejected", code="E201", steps=[{"name": "start", "ok": False, "ms": 1.0,
            "text": "it stopped", "message": {"code": "E201", "title": "The bot does not start",
            "kind": "load", "explanation": "It stopped.", "fix": "Move it."}, "line": 5}])
    """)
    page.click("text=Refresh")
    expect(page.locator(".excerpt")).to_have_text("5 |     pass")
    page.click("text=Upload a fixed version")
    expect(page.locator("#id_code")).to_have_value(BOT)
    context.close()


def test_the_box_checks_while_one_writes_and_lets_the_keyboard_out(window, site):
    page = window
    page.goto(f"{site.address}/bots/new/")
    page.fill("#id_code", BROKEN)
    expect(page.locator("#findings")).to_contain_text("E101")
    expect(page.locator("#id_code")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("link", name="Go to line 4").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.insert_text(":")
    expect(page.locator("#findings")).to_contain_text("E102")
    assert "options):\n" in page.input_value("#id_code")
    expect(page.locator("[data-gutter]")).to_have_text(re.compile(r"^1\s2\s3\s4\s5\s6$"))
    page.check("[data-tab]")
    page.focus("#id_code")
    page.keyboard.press("Tab")
    assert "    " in page.input_value("#id_code").split("\n")[3][-6:]
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('[data-tab]')")
    page.set_input_files("#id_file", {"name": "b.py", "mimeType": "", "buffer": BOT.encode()})
    expect(page.locator("#id_code")).to_have_value(BOT)
    page.click("[data-check]")
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    expect(page).to_have_url(f"{site.address}/bots/new/")


ADDRESSES = (
    "/accounts/signup/",
    "/accounts/login/",
    "/bots/new/",
    "/me/",
    "/me/settings/",
    "/me/tokens/",
    "/me/delete/",
    "/u/axe/",
    "/sdk/",
    "/bots/axe-bot/versions/",
    "/bots/axe-bot/versions/1/",
    "/bots/axe-bot/versions/new/",
    "/bots/axe-bot/diff/",
    "/uploads/{rejected}/",
)


@pytest.fixture(scope="module")
def furnished(site):
    """A league with an author, two versions of a bot, and one that was rejected."""
    return site.python(f"""
        axe = factories.make_user("axe")
        bot = factories.make_bot(axe, "Axe Bot")
        factories.make_version(bot, factories.SOURCE)
        factories.make_version(bot, factories.SOURCE.replace("options[0]", "options[-1]"))
        bots.bench(bot.versions.get(number=2), "3 faults in its last 10 matches")
        version = bots.upload(bot, {BROKEN!r}.encode(), "oops").version
        {CHECK}
        tell(version.pk)
    """)


def test_pages_fit_a_small_phone_and_everybody_can_use_them(chromium, site, furnished):
    context = chromium.new_context(
        viewport={"width": 320, "height": 700}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    wrong = []
    for address in ADDRESSES:
        if address == "/bots/new/":
            page.fill("#id_username", "axe")
            page.fill("#id_password", "open sesame")
            page.click("main button")
        page.goto(site.address + address.format(rejected=furnished))
        wrong += [(address, one) for one in faults_of(page)]
    context.close()
    assert not wrong


@pytest.fixture(scope="module")
def crowded(site):
    """A bot that fills every column of its versions page: three games, benched, a long note."""
    site.python(f"""
        wide = factories.make_user("wide")
        bot = factories.make_bot(wide, "Wide Bot")
        ladder.ensure()
        for number in range(3):
            version = factories.make_version(bot)
            BotVersion.objects.filter(pk=version.pk).update(
                note="plays the barter of the endgame much more carefully than before")
            for game in factories.GAMES:
                factories.make_smoke_match(version, game)
            ladder.enrol()
        LadderRating.objects.filter(version__bot=bot).update(matches=1234)
        bots.bench(bot.versions.get(number=3), "3 faults in its last 10 matches")
        bots.upload(bot, {BROKEN!r}.encode(), "oops")
        {CHECK}
    """)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768), (390, 844), (768, 1024)])
def test_no_button_of_the_versions_page_is_cut_off(chromium, site, crowded, width, height):
    context = chromium.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{site.address}/accounts/login/?next=/bots/wide-bot/versions/")
    page.fill("#id_username", "wide")
    page.fill("#id_password", "open sesame")
    page.click("main button")
    expect(page.get_by_role("button", name="Publish code")).to_have_count(4)
    # Boxes in their cells, cells in the scrolled region, the region in the window.
    outside = page.evaluate("""() => [...document.querySelectorAll(".versions button, .versions a")]
        .filter((node) => {
          const box = node.getBoundingClientRect();
          const fits = (frame) => box.left >= frame.left - 1 && box.right <= frame.right + 1;
          return !(fits(node.closest("td, th").getBoundingClientRect())
            && fits(node.closest(".scroll").getBoundingClientRect())
            && fits({ left: 0, right: document.documentElement.clientWidth }));
        }).map((node) => node.textContent.trim())""")
    assert not outside
    context.close()

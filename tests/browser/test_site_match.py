"""Matches and bots on the site in a real browser: the viewer at work, access, width, frames."""

import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.fitting import SIZES, problems
from tests.browser.shown import Shown
from tests.full import combinations

# One league is served for all of them.
MADE = """
mira, otto = factories.make_user("mira"), factories.make_user("otto")
players = [factories.make_player(mira, "Sapphire Shark"), factories.make_player(otto, "Tin Cup")]
players += [factories.make_player(None, name) for name in ("Greedy", "Anton")]
from datetime import timedelta
from django.utils import timezone
from league import version
from runners.match import Fault

late = Fault(seat=1, step=3, code="E302", detail="It took too long.", traceback="line 7")
told = {"printed": {0: "hm, gems"}, "notes": {0: "cheap enough"}, "faults": [late]}
esr = factories.make_match(players, "edel-stein-reich", **told)
suche = factories.make_match(players[:2], "edelsteinsuche")
waiting = factories.queue_match(players)
for game in ("edel-stein-reich", "edelsteinsuche"):
    factories.rate_all(game)
# A league without workers says so above every page.
Worker.objects.create(
    name="worker-1", seen_at=timezone.now() + timedelta(hours=1), capacity=2, sandbox="bubblewrap",
    sandbox_ok=True, sandbox_said="all walls held", version=version.rules_code(),
)
tell({"esr": esr.pk, "suche": suche.pk, "waiting": waiting.pk})
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Shown(tmp_path_factory.mktemp("matches"))
    try:
        league.create()
        league.collect_static()
        league.made = league.python(MADE)
        league.serve()
        yield league
    finally:
        league.end()


@pytest.fixture
def signed_in(site, window):
    def sign_in(name):
        window.context.add_cookies([site.cookie(name)])

    return sign_in


def pages_of(made):
    return [
        "/matches/",
        f"/matches/{made['esr']}/?step=40",
        f"/matches/{made['suche']}/?view=A",
        f"/matches/{made['esr']}/?view=text",
        f"/matches/{made['waiting']}/",
        "/bots/sapphire-shark/?game=edel-stein-reich",
        "/bots/sapphire-shark/matches/",
        "/bots/sapphire-shark/opponents/?game=edel-stein-reich",
        "/bots/tin-cup/faults/",
        "/bots/sapphire-shark/vs/greedy/",
    ]


def test_a_match_is_watched_on_its_page_and_a_view_comes_from_the_server(site, window):
    window.goto(f"{site.address}/matches/{site.made['suche']}/?step=2")
    window.wait_for_selector(".kv-ready")
    expect(window.locator("#log-2")).to_have_attribute("aria-current", "step")
    window.keyboard.press("ArrowRight")
    expect(window.locator("#log-3")).to_have_attribute("aria-current", "step")
    expect(window.locator("#log-2")).not_to_have_attribute("aria-current", "step")
    asked = []
    window.on("request", lambda request: asked.append(request.url))
    window.select_option(".kv-view", "public")
    expect(window.locator("#log-2 .kv-said")).to_contain_text("hidden card")
    record = f"/matches/{site.made['suche']}/record?view=public"
    assert any(url.endswith(record) for url in asked)
    expect(window).to_have_url(re.compile(r"[?&]view=public(&|$)"))


# What style sheets of a page around the viewer could change in it, whatever its width.
LOOKS = """() => {
  const names = ["display", "position", "marginTop", "padding", "borderWidth", "borderStyle",
    "minHeight", "clipPath", "boxShadow", "color", "backgroundColor", "fontFamily", "fontSize",
    "fontWeight", "lineHeight", "letterSpacing", "textTransform", "textDecorationLine", "textAlign",
    "verticalAlign", "listStyleType", "whiteSpace"];
  const kind = (one) => `${one.tagName} ${one.getAttribute("class")}`;
  const looks = (one, style) =>
    [kind(one), ...names.map((name) => `${name}: ${style[name]}`)].join("; ");
  // Of those of a kind at the same place one is enough: the first.
  const kinds = new Map();
  for (const one of document.querySelectorAll(".kv-main *:not(.kv-dock), .kv-side *")) {
    const place = kind(one.parentElement.parentElement) + kind(one.parentElement) + kind(one);
    if (!kinds.has(place) && one.checkVisibility()) kinds.set(place, one);
  }
  return [...kinds.values()].map((one) => looks(one, getComputedStyle(one)));
}"""


SAME_ROOM = """(width) => {
  document.querySelector(".kv").style.width = `${width}px`;
  document.querySelector(".kv-frame").style.setProperty("--height", "600px");
  dispatchEvent(new Event("resize"));
}"""


def test_the_viewer_looks_the_same_on_every_page_as_with_karat_watch(site, window, watching):
    # Letters and gems grow with the room of a table, so all of them get the same.
    def looks(address, width=1040):
        window.goto(address)
        window.wait_for_selector(".kv-ready")
        window.evaluate(SAME_ROOM, width)
        window.evaluate("document.querySelector('.kv').viewer.jump(5)")
        return set(window.evaluate(LOOKS))

    for match in (site.made["esr"], site.made["suche"]):
        record = window.request.get(f"{site.address}/api/v1/matches/{match}/record").json()
        with watching(record) as watch:
            alone = looks(watch)
            assert looks(f"{site.address}/matches/{match}/") == alone
            assert looks(f"{site.address}/matches/{match}/embed/") == alone
    # The home page shows a match of its choice in a narrow column, without some of the controls.
    shown = looks(site.address, 760)
    record = window.evaluate("document.querySelector('.kv').viewer.record")
    with watching(record) as watch:
        assert shown <= looks(watch, 760)


@pytest.mark.parametrize(
    ("size", "game"),
    combinations(SIZES, ("esr", "suche")),
    ids=lambda value: value if isinstance(value, str) else f"{value[0]}x{value[1]}",
)
def test_below_the_head_of_the_site_the_whole_table_is_in_sight(site, window, size, game):
    window.set_viewport_size({"width": size[0], "height": size[1]})
    window.goto(f"{site.address}/matches/{site.made[game]}/")
    window.wait_for_selector(".kv-ready")
    assert problems(window, size, stride=10) == []
    assert window.evaluate("scrollY") == 0


def test_a_match_is_on_the_table_after_a_few_requests(site, window):
    # Chromium asks for the icon again, from its cache, whenever the address changes.
    asked = set()
    window.on("request", lambda request: asked.add(request.url))
    window.goto(f"{site.address}/matches/{site.made['esr']}/")
    window.wait_for_selector(".kv-ready")
    assert len(asked) <= 7, asked
    assert any("/concatenated/viewer." in url for url in asked)


def test_only_the_owner_finds_the_log_of_a_bot(site, window, signed_in):
    address = f"{site.address}/matches/{site.made['esr']}/"
    window.goto(address)
    expect(window.get_by_text("hm, gems")).to_have_count(0)
    signed_in("otto")
    window.goto(address)
    expect(window.get_by_text("hm, gems")).to_have_count(0)
    expect(window.get_by_role("heading", name="Bot log (yours)")).to_be_visible()
    signed_in("mira")
    window.goto(address)
    expect(window.get_by_text("hm, gems")).to_be_visible()
    expect(window.locator(".bot-log").get_by_text("cheap enough")).to_be_visible()


def test_pages_are_narrow_enough_and_open_to_everybody(site, window, signed_in):
    signed_in("mira")
    for path in pages_of(site.made):
        window.set_viewport_size({"width": 320, "height": 700})
        window.goto(site.address + path)
        watched = "step=" in path or "view=A" in path
        if watched:
            window.wait_for_selector(".kv-ready")
        assert window.evaluate("document.documentElement.scrollWidth") <= 320, path
        window.set_viewport_size({"width": 1280, "height": 900})
        if watched:
            # All lines of the log are alike; looking at one seat's keeps axe quick.
            window.locator(".kv-filter").select_option("s0")
        for theme in ("light", "dark") if "step=40" in path or "?game=" in path else ("light",):
            window.emulate_media(color_scheme=theme)
            found = Axe().run(window)
            assert found.violations_count == 0, f"{path} {theme}\n{found.generate_report()}"


def test_without_javascript_the_whole_match_stands_in_sentences(chromium, site):
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 820, "height": 900}
    )
    page = context.new_page()
    page.goto(f"{site.address}/matches/{site.made['esr']}/?step=7")
    expect(page.locator("#log-7")).to_have_attribute("aria-current", "step")
    page.get_by_role("link", name="Step forward").click()
    assert re.search(r"\?step=8#log-8\Z", page.url)
    expect(page.locator("#log-8")).to_be_in_viewport()
    expect(page.locator(".kv-table")).to_be_hidden()
    context.close()


@contextmanager
def another_site(html):
    """A page of another origin."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            # Another host than the league's, which is asked for by number.
            yield f"http://localhost:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_the_viewer_works_in_a_frame_of_another_site_and_leaves_no_cookie(site, window):
    frame = f"{site.address}/matches/{site.made['esr']}/embed/?step=5"
    html = (
        '<!doctype html><html lang="en"><title>blog</title><link rel="icon" href="data:,">'
        f'<iframe src="{frame}" width="320" height="420"></iframe>'
        "<script>told = []; onmessage = (event) => told.push(event.data.type)</script></html>"
    )
    with another_site(html) as address:
        window.goto(address)
        inside = window.frame_locator("iframe")
        expect(inside.locator(".kv-ready")).to_have_count(1)
        expect(inside.locator("#log-5")).to_have_attribute("aria-current", "step")
        expect(inside.get_by_role("link", name="Open")).to_be_visible()
        window.wait_for_function("told.includes('karat:step') && told.includes('karat:height')")
        assert window.context.cookies() == []

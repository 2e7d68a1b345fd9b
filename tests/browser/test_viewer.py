"""The replay viewer in a real browser: what it draws is what the engine saw."""

import copy
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from engine.games.edelsteinsuche.cards import CARDS, title
from engine.record.patch import apply
from engine.record.redact import redact
from engine.registry import GAMES
from tests.engine.tables import recorded

ESR, BASARI, SUCHE = GAMES["edel-stein-reich"], GAMES["basari"], GAMES["edelsteinsuche"]
NAMES = ["Shark", "Barter & Sons", "<b>greedy</b>", "tin-cup", "Mira"]
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 12}}


def match(game, seats, seed="browser"):
    record = recorded(game, seats, seed, SHORT.get(game.slug))
    for seat, name in zip(record["seats"], NAMES, strict=False):
        seat["name"] = name
    return record


@pytest.fixture(scope="module")
def tables():
    """A match of every game with every number of seats."""
    return [match(game, seats) for game in GAMES.values() for seats in game.seats]


@pytest.fixture(scope="module")
def site(watching, tables):
    with watching(*tables) as address:
        yield address


def place(tables, game, seats):
    """The number under which a match is served."""
    return 1 + next(
        number
        for number, record in enumerate(tables)
        if (record["game"], len(record["seats"])) == (game.slug, seats)
    )


def opened(page, address, **query):
    page.goto(f"{address}/?" + "&".join(f"{name}={value}" for name, value in query.items()))
    page.wait_for_selector(".kv-ready")
    return page


def until(page, fact):
    """Wait for a fact of the page; its policy forbids the usual way, which needs eval."""
    for _ in range(200):
        if page.evaluate(fact):
            return
        page.wait_for_timeout(25)
    raise AssertionError(fact)


def step_of(page):
    return page.evaluate("document.querySelector('.kv').viewer.i")


def table_text(page):
    return page.locator(".kv-table").inner_text() + page.locator(".kv-caption").inner_text()


def views_of(record):
    view = copy.deepcopy(record["steps"][0]["view"])
    views = [copy.deepcopy(view)]
    for step in record["steps"][1:]:
        apply(view, step["set"])
        views.append(copy.deepcopy(view))
    return views


def test_the_last_step_shows_the_outcome_and_fits_a_narrow_phone(window, site, tables):
    # A phone of 320 pixels, less what the pages of the site leave free at their sides.
    window.set_viewport_size({"width": 304, "height": 640})
    for number, record in enumerate(tables, 1):
        opened(window, site, match=number, step=99999)
        assert step_of(window) == len(record["steps"]) - 1
        shown = [
            int(re.match(r"-?\d+", text)[0])
            for text in window.locator(".kv-score").all_inner_texts()
        ]
        lacking = 5 if record["game"] == SUCHE.slug else 0
        assert shown == [score + lacking for score in record["outcome"]["scores"]]
        assert window.locator(".kv-ranking li").count() == len(record["seats"])
        assert window.evaluate("document.documentElement.scrollWidth") <= 304, record["game"]
        for step in (99999, 2, 4):
            window.evaluate(f"document.querySelector('.kv').viewer.jump({step})")
            assert not window.evaluate(STICKING_OUT), record["game"]
        assert window.evaluate(LINES_OF_CONTROLS) == 1


STICKING_OUT = """() => {
  const parts = ".kv-panel, .kv-action, .kv-actions";
  const edge = (one) => one.getBoundingClientRect().right;
  const out = (one) => edge(one) > edge(one.parentElement.closest(parts));
  return [...document.querySelectorAll(parts)]
    .flatMap((part) => [...part.querySelectorAll("*:not(.kv-quiet)")])
    .filter(out).map((one) => one.outerHTML);
}"""
"""What lies on a seat's panel or on an action and reaches over its edge."""

LINES_OF_CONTROLS = """() => new Set([...document.querySelectorAll(".kv-controls > *")]
  .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
  .map(({ top, bottom }) => Math.round((top + bottom) / 8))).size"""

GO = """(names) => {
  const viewer = document.querySelector(".kv").viewer;
  return names.map((name) => {
    viewer.act(name);
    return viewer.find(".kv-main").textContent;
  });
}"""


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_going_on_and_back_again_gives_the_same_table(window, site, tables, game):
    opened(window, site, match=place(tables, game, 3), step=3)
    there = window.evaluate(GO, ["on"] * 80)
    back = window.evaluate(GO, ["back"] * 79)
    assert back == there[-2::-1]
    assert len(set(there)) == 80


def test_a_link_restores_step_view_and_speed_and_history_does_not_grow(window, site, tables):
    number = place(tables, SUCHE, 3)
    opened(window, site, match=number, step=20, view="B", speed=2)
    assert step_of(window) == 20
    assert window.locator(".kv-view").input_value() == "B"
    assert window.locator(".kv-speed").input_value() == "2"
    before, length = table_text(window), window.evaluate("history.length")
    for _ in range(5):
        window.keyboard.press("ArrowRight")
    window.wait_for_url("**step=25**")
    assert window.evaluate("history.length") == length
    window.go_back()
    opened(window, site, match=number, step=20, view="B", speed=2)
    assert table_text(window) == before


def test_every_key_does_what_the_help_says(window, site, tables):
    record = tables[place(tables, ESR, 4) - 1]
    steps = {
        kind: [s["i"] for s in record["steps"] if s["t"] == kind]
        for kind in ("barter", "deal", "phase")
    }
    opened(window, site, match=place(tables, ESR, 4))
    window.locator(".kv-table").focus()
    press = window.keyboard.press
    press("b")
    assert step_of(window) == steps["barter"][0]
    press("b")
    press("Shift+B")
    assert step_of(window) == steps["barter"][0]
    press("Home")
    press("Shift+ArrowRight")
    assert step_of(window) == steps["deal"][0]
    press("PageDown")
    assert step_of(window) == steps["phase"][1]
    press("Shift+ArrowLeft")
    assert step_of(window) < steps["phase"][1]
    press("End")
    assert step_of(window) == len(record["steps"]) - 1
    press(">")
    assert window.locator(".kv-speed").input_value() == "2"
    press("<")
    press("g")
    assert window.locator("[data-do=highlights]").get_attribute("aria-pressed") == "true"
    press("p")
    until(window, "document.querySelector('.kv-view').value === 'public'")
    press("2")
    until(window, "document.querySelector('.kv').viewer.record.redacted === 1")
    press("l")
    assert window.evaluate("document.activeElement.className") == "kv-log"
    press("t")
    press("?")
    assert window.locator(".kv-help").is_visible()
    press("Escape")
    assert "kv-table" in window.evaluate("document.activeElement.className")
    press("Home")
    press("k")
    until(window, "document.querySelector('.kv').viewer.i > 1")
    press(" ")
    assert window.locator(".kv-play-word").inner_text() == "Play"


def test_letters_belong_to_the_viewer_and_can_be_switched_off_for_good(window, site):
    opened(window, site, step=5)
    window.locator("input[name=match]").focus()
    window.keyboard.press("b")
    window.keyboard.press("ArrowRight")
    assert step_of(window) == 5, "a field of the page keeps its keys"
    window.evaluate("document.activeElement.blur()")
    window.keyboard.press("b")
    assert step_of(window) == 5
    window.keyboard.press("ArrowRight")
    assert step_of(window) == 6, "arrows work anywhere on the page"
    window.locator("[data-do=more]").click()
    window.locator("[data-do=help]").click()
    window.locator(".kv-shortcuts").uncheck()
    window.keyboard.press("Escape")
    opened(window, site, step=5)
    window.locator(".kv-table").focus()
    window.keyboard.press("b")
    window.keyboard.press("ArrowRight")
    assert step_of(window) == 5


def test_the_slider_takes_the_focus_moves_with_arrows_and_speaks(window, site, tables):
    opened(window, site, match=place(tables, ESR, 3), step=4)
    slider = window.locator(".kv-range")
    slider.focus()
    window.keyboard.press("ArrowRight")
    assert step_of(window) == 5
    spoken = slider.get_attribute("aria-valuetext")
    assert spoken.startswith(f"Step 5 of {len(tables[0]['steps']) - 1}. Phase 1, round 1. ")
    assert window.locator(".kv-caption .kv-said").text_content() in spoken


def test_space_plays_and_pauses_while_the_slider_has_the_focus(window, site, tables):
    opened(window, site, match=place(tables, ESR, 3), step=4)
    window.locator(".kv-range").focus()
    window.keyboard.press(" ")
    until(window, "document.querySelector('.kv').viewer.i > 4")
    window.keyboard.press(" ")
    assert window.locator(".kv-play-word").inner_text() == "Play"


def test_log_moments_and_charts_lead_to_their_step(window, site, tables):
    opened(window, site, match=place(tables, ESR, 4))
    window.locator("#log-12").click()
    assert step_of(window) == 12
    assert window.locator(".kv-log [aria-current=step]").get_attribute("id") == "log-12"
    window.locator(".kv-moments summary").click()
    link = window.locator(".kv-moments a").nth(2)
    link.click()
    assert step_of(window) == int(link.get_attribute("data-step"))
    window.locator(".kv-plot").first.click(position={"x": 2, "y": 50})
    assert step_of(window) <= 2
    window.locator(".kv-filter").select_option("scoring")
    assert window.locator(".kv-log li:visible").count() == 15


def test_basari_says_that_more_opens_and_before_the_scoring_why_a_stage_ends(window, site, tables):
    number = place(tables, BASARI, 4)
    steps = tables[number - 1]["steps"]
    coloured = ("red", "yellow", "green", "blue")
    barter = next(s for s in steps if s["t"] == "barter" and s["why"] in coloured)
    opened(window, site, match=number, step=barter["i"])
    assert f"opens: more {barter['why']}, " in window.locator(".kv-why").inner_text()
    score = next(s["i"] for s in steps if s["t"] == "score")
    deal = max(s["i"] for s in steps if s["t"] == "deal" and s["i"] < score)
    opened(window, site, match=number, step=deal)
    assert "the stage ends after this round" in window.locator(".kv-caption").inner_text()


def test_names_of_bots_are_text_whatever_they_hold(window, site, tables):
    opened(window, site, match=place(tables, ESR, 3), step=3)
    assert window.locator(".kv-panel .kv-who").nth(2).inner_text() == "<b>greedy</b>"
    assert "<b>greedy</b>" in window.locator(".kv-caption").inner_text()


def test_reduced_motion_runs_no_animation_and_others_see_gems_fly(window, chromium, site, tables):
    record = tables[place(tables, ESR, 4) - 1]
    gems = next(s["i"] for s in record["steps"] if s["t"] == "act" and s["action"] == "gems")
    count = "document.getAnimations().length"
    opened(window, site, match=place(tables, ESR, 4), step=gems - 1)
    window.locator("[data-do=on]").click()
    assert window.evaluate(count) == 0
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = opened(context.new_page(), site, match=place(tables, ESR, 4), step=gems - 1)
    assert page.evaluate(f"document.querySelector('[data-do=on]').click(), {count}") > 0
    until(page, "!document.querySelector('.kv-flight')")
    context.close()


def test_a_seat_never_receives_what_it_does_not_know(window, watching):
    record = recorded(SUCHE, 3, "secret seed 4711", {"max_turns_per_seat": 2})
    mine = {
        card for view in views_of(redact(record, 1)) for row in view["known"][1] for card in row
    }
    unseen = [card for card in CARDS if card not in mine]
    assert len(unseen) >= 5
    bodies = []
    with watching(record) as address:
        window.on("response", lambda answer: bodies.append((answer.url, answer.text())))
        opened(window, address, view="B", step=4)
        window.keyboard.press("ArrowRight")
        window.wait_for_timeout(50)
        page = window.content()
    told = [
        page,
        *(text for url, text in bodies if "/viewer/" not in url),
    ]
    assert len(told) >= 3
    for text in told:
        assert "4711" not in text
        for card in unseen:
            assert f'"{card}"' not in text
            assert title(card) not in text


def test_everything_and_a_seat_differ_in_backs_pips_and_missed_wins(window, watching):
    record = recorded(SUCHE, 3, "x")
    with watching(record) as address:
        opened(window, address, step=30)
        assert window.locator(".kv-table .kv-back").count() == 0
        assert window.locator(".kv-pips .kv-seat").count() > 10
        assert window.locator(".kv-track .kv-missed").count() == 3
        window.locator(".kv-view").select_option("A")
        window.wait_for_selector(".kv-table .kv-back")
        assert "1 of" in window.locator(".kv-odds").first.inner_text()
        assert window.locator(".kv-track .kv-missed").count() == 0
        assert step_of(window) == 30


def test_a_fault_shows_at_the_table_in_the_log_on_the_timeline_and_f_finds_it(window, watching):
    record = match(ESR, 3)
    step = next(s for s in record["steps"] if s["t"] == "choose" and s["i"] > 20)
    step["fault"][2] = "E302"
    record["faults"] = [
        {"step": step["i"], "seat": 2, "code": "E302", "detail": "It did not answer in time."}
    ]
    record["outcome"]["forfeits"] = [2]
    record["limits"] = {"decision_cpu_ms": 250, "decision_wall_ms": 2000}
    step["ms"][0] = 150.0
    with watching(record) as address:
        opened(window, address)
        window.locator(".kv-table").focus()
        window.keyboard.press("f")
        assert step_of(window) == step["i"]
        assert window.locator(".kv-faultsign").inner_text().startswith("! E302")
        assert "slow" in window.locator(".kv-time.kv-slow").inner_text()
        line = window.locator(f"#log-{step['i']}").inner_text()
        assert "! E302 C It did not answer in time. The league played" in line
        assert "slow 150 ms" in line
        assert window.locator(".kv-track .kv-fault").count() == 1
        assert "(forfeited)" in window.locator(".kv-head").inner_text()
        window.keyboard.press("ArrowRight")
        assert window.locator(".kv-faultsign").inner_text() == "forfeited"


@pytest.mark.parametrize(("scheme", "game", "step"), [("light", ESR, 16), ("dark", SUCHE, 21)])
def test_axe_finds_nothing_to_complain_about(window, site, tables, scheme, game, step):
    window.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    opened(window, site, match=place(tables, game, 4), step=step)
    window.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    window.locator("[data-do=more]").click()
    # All lines are alike; looking at one seat's keeps this quick.
    window.locator(".kv-filter").select_option("s0")
    assert Axe().run(window).response["violations"] == []

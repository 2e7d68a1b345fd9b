"""The viewer in pages of other making: a barter from the rule book, a frame, an unknown game."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from bots_sdk.viewer.files import STYLES
from bots_sdk.viewer.page import replay_html, sprite
from bots_sdk.viewer.replay import replay_of
from engine.games.edel_stein_reich import GAME
from engine.record.recorder import Recorder, write
from engine.rng import Rng
from tests.engine.tables import recorded
from tests.engine.test_esr_actions import position

SHEETS = ("/viewer/tokens.css", *STYLES, f"/games/{GAME.slug}/viewer.css")
SCRIPTS = (f"/games/{GAME.slug}/viewer.js", "/viewer/viewer.js")


@pytest.fixture(scope="module")
def address(watching):
    """Where the files of the viewer are."""
    with watching(recorded(GAME, 3, "files")) as served:
        yield served


def page_of(record, **more):
    """A page as a site might write it, without the re-run that an invented position forbids."""
    replay = replay_of(
        record, with_insight=False, record_url="/fixture.json", page_url="/fixture", **more
    )
    links = "".join(f'<link rel="stylesheet" href="{name}">' for name in SHEETS)
    links += "".join(f'<script type="module" src="{name}"></script>' for name in SCRIPTS)
    return (
        f'<!doctype html><html lang="en"><head><title>A match</title>{links}</head>'
        f"<body>{sprite()}<main><h1>A match</h1>{replay_html(replay)}</main></body></html>"
    )


def put(window, address, record, **more):
    """Let the browser find a page for this record."""
    html = page_of(record, **more)
    window.route("**/fixture?*", lambda route: route.fulfill(body=html, content_type="text/html"))
    window.route("**/fixture.json", lambda route: route.fulfill(json=record))
    return f"{address}/fixture?step=0"


@pytest.fixture(scope="module")
def rule_book():
    """Miriam and Peter barter for money (V-ESR-03); the rest of the match does not matter."""
    rng, pick = Rng("rule book"), Rng("moves")
    state = position("3.3.3.3 3.3.4.3 5.5.5.5", cards="E01 E17 E02", money="2 3 0")
    recorder = Recorder(GAME)
    recorder("start", state, {})
    recorder("deal", state, {"cards": state.cards[:], "event": state.event, "reshuffled": False})
    moves = [["money", "money", "gems"]]
    offers = ("1.0.0.0", "0.0.0.2", "0.1.1.0", "1.0.0.1", "0.0.3.0", "1.0.0.2")
    moves += [[f"offer {offer}"] for offer in offers] + [["accept"]]
    while asked := GAME.to_move(state):
        options = [GAME.options(state, seat) for seat in asked]
        GAME.play(
            state,
            moves.pop(0) if moves else [one[pick.below(len(one))] for one in options],
            rng,
            recorder,
        )
    seats = [{"name": name, "bot": None, "version": None} for name in ("Miriam", "Peter", "Burgi")]
    outcome = GAME.outcome(state)
    return write(
        recorder, options=GAME.resolve_options(3), seed="rule book", seats=seats, outcome=outcome
    )


def test_the_barter_of_the_rule_book_reads_like_the_rule_book(window, address, rule_book):
    window.goto(put(window, address, rule_book))
    window.wait_for_selector(".kv-ready")
    accept = next(step["i"] for step in rule_book["steps"] if step["t"] == "accept")
    window.evaluate("(i) => document.querySelector('.kv').viewer.jump(i)", accept)
    talk = window.locator(".kv-talk")
    assert talk.locator("h3").inner_text() == "Barter for Money"
    assert talk.locator(".kv-why").inner_text() == "A opens: fewer green, 3 < 4"
    assert talk.locator(".kv-prizes").text_content() == "would get: A 4M · B 6M"
    bubbles = [" ".join(text.split()) for text in talk.locator("li").all_text_contents()]
    # The letters of the gems are pictures, followed by the same in words.
    assert [bubble.lstrip("RYGBA ") for bubble in bubbles] == [
        "1 redopens",
        "2 blue+1 gem",
        "1 yellow, 1 greensame number, more yellow",
        "1 red, 1 bluesame number, more red",
        "3 green+1 gem",
        "1 red, 2 bluesame number, more redaccepted",
        "accepts",
    ]
    assert [bubble[0] for bubble in bubbles] == list("ABABABA")
    assert talk.locator(".kv-sold").text_content().startswith("A sold Money to B for ")
    window.keyboard.press("ArrowRight")
    assert window.locator(".kv-caption").inner_text() == "B Peter takes 6 million."
    hands = [panel.split("\n") for panel in window.locator(".kv-hand").all_inner_texts()]
    counts = [[int(word) for word in hand if word.isdigit()] for hand in hands[:2]]
    assert counts == [[4, 3, 3, 5], [2, 3, 4, 1]]


def test_a_frame_on_another_origin_tells_its_height_its_step_and_the_end(
    window, address, rule_book
):
    elsewhere = address.replace("127.0.0.1", "localhost")
    frame = put(window, address, rule_book, embed=True, home_url="/matches/1/")
    outer = (
        "<!doctype html><title>A blog</title>"
        f'<iframe src="{frame}" width="320" height="420"></iframe>'
    )
    window.route(
        f"{elsewhere}/outer", lambda route: route.fulfill(body=outer, content_type="text/html")
    )
    window.add_init_script(
        "window.heard = []; addEventListener('message', (event) => heard.push(event.data));"
    )
    window.goto(f"{elsewhere}/outer")
    inner = window.frames[1]
    inner.wait_for_selector(".kv-ready")
    inner.evaluate("document.querySelector('.kv').viewer.act('end')")
    window.wait_for_timeout(100)
    heard = {said["type"]: said for said in window.evaluate("heard")}
    assert heard.keys() == {"karat:height", "karat:step", "karat:end"}
    assert heard["karat:step"]["step"] == len(rule_book["steps"]) - 1
    assert inner.locator(".kv-home").is_visible()
    assert inner.evaluate("document.documentElement.scrollWidth") <= 320
    assert window.context.cookies() == []


def test_a_game_without_a_table_of_its_own_shows_its_view(window, watching):
    record = json.loads(json.dumps(recorded(GAME, 3, "other")).replace("edel-stein-reich", "halma"))
    with watching(record) as served:
        window.goto(f"{served}/?step=3")
        window.wait_for_selector(".kv-ready")
        text = window.locator(".kv-table").inner_text()
        assert "supply" in text.lower()
        assert "money" in text.lower()
        assert window.locator(".kv-caption").inner_text().startswith("A bot 0 chooses")


OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".kv-centre, .kv-centre > *, .kv-panel")];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return boxes.some((one, k) => boxes.some((other, l) => k < l && !parts[k].contains(parts[l]) &&
    one.bottom > other.top + 1 && other.bottom > one.top + 1 &&
    one.right > other.left + 1 && other.right > one.left + 1));
}"""


def test_on_a_phone_seven_seats_without_a_table_of_their_own_lie_beside_each_other(
    window, watching, seven_seats
):
    window.set_viewport_size({"width": 360, "height": 640})
    with watching(seven_seats) as served:
        window.goto(f"{served}/?step=1")
        window.wait_for_selector(".kv-ready")
        assert window.locator(".kv-panel").count() == 7
        assert not window.evaluate(OVERLAPS)


@pytest.fixture
def seven_seats():
    """A match of a game that is not installed, with nested things in its view."""
    record = recorded(GAME, 3, "seven")
    seats = range(7)
    view = {
        "turn_number": 0,
        "market": {"open": ["K1", "K2"], "closed": None},
        "seats": [{"held_cards": [], "is_ready": False} for _ in seats],
    }
    moves = {"moves": ["wait"] * 7, "ms": [1.0] * 7, "forced": [False] * 7, "fault": [None] * 7}
    return record | {
        "game": "halma",
        "seats": [{"name": f"bot {seat}", "bot": None, "version": None} for seat in seats],
        "faults": [],
        "outcome": {
            "placements": [seat + 1 for seat in seats],
            "scores": [1200 - seat for seat in seats],
            "reason": "completed",
            "forfeits": [],
        },
        "steps": [
            {"i": 0, "t": "start", "text": "It starts.", "view": view},
            {"i": 1, "t": "reveal", "text": "{6} waits.", **moves, "set": {"/turn_number": 1}},
            {"i": 2, "t": "end", "text": "{0} wins.", "set": {"/seats/6/held_cards": ["K1"]}},
        ],
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_plain_table_is_readable_with_seven_seats(window, watching, seven_seats, scheme):
    window.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    with watching(seven_seats) as served:
        for width in (1280, 390):
            window.set_viewport_size({"width": width, "height": 900})
            window.goto(f"{served}/?step=1")
            window.wait_for_selector(".kv-ready")
            badges = window.locator(".kv-panel .kv-seat")
            assert badges.all_inner_texts() == list("ABCDEFG")
            grounds = badges.evaluate_all(
                "all => all.map((one) => getComputedStyle(one).backgroundColor)"
            )
            assert len(set(grounds)) == 7
            centre = " ".join(window.locator(".kv-centre").inner_text().split()).lower()
            assert "turn number 1" in centre
            assert "open k1, k2 closed –" in centre
            assert window.evaluate("document.documentElement.scrollWidth") <= width
            assert Axe().run(window).response["violations"] == []
        window.keyboard.press("ArrowRight")
        expect(window.locator("#kv-seat-6")).to_be_hidden()
        window.locator(".kv-strip button").last.click()
        last = " ".join(window.locator("#kv-seat-6").inner_text().split()).lower()
        assert last == "g bot 6 1,194 held cards k1 is ready no"

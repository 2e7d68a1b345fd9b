"""The whole table on one screen: seats, centre, caption and controls, at every step and size."""

import pytest

from engine.registry import GAMES
from tests.browser.fitting import LONG_NAMES, SIZES, TWO_DIGITS, problems, with_faults
from tests.engine.tables import recorded
from tests.full import FULL, combinations

TABLES = [(game, seats) for game in GAMES.values() for seats in game.seats]
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 8}}
STRIDE = 1 if FULL else 9
"""Beside the walks through all steps, every game is seen at every size at some of them."""


def number_of(game, seats):
    return 1 + TABLES.index((game, seats))


def case(game, seats, size, stride):
    name = f"{game.slug}-{seats}-{size[0]}x{size[1]}"
    return pytest.param(number_of(game, seats), size, stride, id=name)


WALKS = [(game, seats, size) for (game, seats), size in combinations(TABLES, SIZES)]
OTHERS = [
    (game, game.seats[(number + place) % len(game.seats)], size)
    for place, game in enumerate(GAMES.values())
    for number, size in enumerate(SIZES)
    if not any(walk[0] is game and walk[2] == size for walk in WALKS)
]
CASES = [case(game, seats, size, 1) for game, seats, size in WALKS]
CASES += [case(game, seats, size, STRIDE) for game, seats, size in OTHERS]


def named(record):
    for seat, name in zip(record["seats"], LONG_NAMES, strict=False):
        seat.update(name=name, version=seat.get("version") or 3)
    return record


@pytest.fixture(scope="module")
def site(watching):
    matches = [recorded(game, seats, "fit", SHORT.get(game.slug)) for game, seats in TABLES]
    with watching(*(with_faults(named(record)) for record in matches)) as address:
        yield address


def opened(page, address, number):
    page.goto(f"{address}/?match={number}")
    page.wait_for_selector(".kv-ready")


@pytest.mark.parametrize(("number", "size", "stride"), CASES)
def test_at_every_step_the_table_its_caption_and_the_controls_are_in_sight(
    window, site, number, size, stride
):
    opened(window, site, number)
    assert problems(window, size, stride=stride) == []


# Widths at which a log beside the table would leave it too little room to be a wide one.
@pytest.mark.parametrize("size", [(1112, 834), (1024, 768)], ids=lambda size: str(size[0]))
def test_the_log_stands_beside_the_table_only_where_that_stays_wide(window, site, size):
    opened(window, site, number_of(GAMES["edel-stein-reich"], 5))
    assert problems(window, size, stride=20) == []
    boxes = {name: window.locator(name).bounding_box() for name in (".kv-main", ".kv-side")}
    assert boxes[".kv-side"]["y"] >= boxes[".kv-main"]["y"] + boxes[".kv-main"]["height"]
    assert window.locator(".kv-strip").is_hidden()


def test_counts_of_two_digits_are_read_whole(window, site):
    opened(window, site, number_of(GAMES["edel-stein-reich"], 5))
    window.evaluate(TWO_DIGITS)
    for size in ((360, 640), (390, 844), (1280, 600)):
        assert problems(window, size, stride=13) == [], size


# A low window, and one in which the controls were opened, make the page longer instead.
@pytest.mark.parametrize("size", [(360, 500), (640, 360), (1280, 460)])
def test_where_height_is_short_the_controls_never_lie_on_the_log(window, site, size):
    opened(window, site, number_of(GAMES["basari"], 4))
    window.set_viewport_size({"width": size[0], "height": size[1]})
    window.locator("[data-do=more]").click()
    dock, log = (window.locator(name).bounding_box() for name in (".kv-dock", ".kv-side"))
    table = window.locator(".kv-table").bounding_box()
    assert table["height"] >= 250
    assert dock["y"] >= table["y"] + table["height"]
    assert log["y"] >= dock["y"] + dock["height"] or log["x"] >= dock["x"] + dock["width"]


SPOILED = {
    ".kv-main { min-height: 900px }": "is out of sight",
    ".kv-dock { margin-top: -120px }": "is covered",
    ".kv-seats { height: 6em }": "is cut off",
    ".kv-row { width: 20px }": "is cut off",
    ".kv-involved { opacity: 0.3 }": "is pale",
    ".kv-action { translate: 0 200px }": "leaves the stage",
    ".kv-score { font-size: 9px }": "is too small",
    "[data-do=jump] { display: none } .kv-options { margin-top: -60px }": "is covered",
    "#kv-seat-1 { visibility: hidden }": "is not shown",
}
# The page's policy forbids style elements, but not sheets made by a script.
SPOIL = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css.replaceAll(" }", " !important }"));
  document.adoptedStyleSheets = [sheet];
}"""


def test_what_is_out_of_sight_covered_cut_pale_or_too_small_is_noticed(window, site):
    opened(window, site, 1)
    for spoiled, said in SPOILED.items():
        window.evaluate(SPOIL, spoiled)
        assert said in str(problems(window, (1280, 720), stride=40)), spoiled
    window.evaluate(SPOIL, "")
    assert problems(window, (1280, 720), stride=40) == []

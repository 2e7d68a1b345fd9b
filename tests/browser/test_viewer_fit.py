"""The whole table on one screen: seats, centre, caption and controls, at every step and size."""

import pytest

from engine.registry import GAMES
from tests.browser.fitting import SIZES, problems
from tests.engine.tables import recorded
from tests.full import combinations

TABLES = [(game, seats) for game in GAMES.values() for seats in game.seats]
NAMES = ("Sapphire Shark", "Ottilie", "BarterBot the Second", "Tin Cup", "Zita")
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 8}}
CASES = [
    pytest.param(number, size, id=f"{game.slug}-{seats}-{size[0]}x{size[1]}")
    for (number, (game, seats)), size in combinations(list(enumerate(TABLES, 1)), SIZES)
]


def named(record):
    for seat, name in zip(record["seats"], NAMES, strict=False):
        seat.update(name=name, version=seat.get("version") or 3)
    return record


@pytest.fixture(scope="module")
def site(watching):
    records = [named(recorded(game, seats, "fit", SHORT.get(game.slug))) for game, seats in TABLES]
    with watching(*records) as address:
        yield address


def opened(page, address, number):
    page.goto(f"{address}/?match={number}")
    page.wait_for_selector(".kv-ready")


@pytest.mark.parametrize(("number", "size"), CASES)
def test_at_every_step_the_table_its_caption_and_the_controls_are_in_sight(
    window, site, number, size
):
    opened(window, site, number)
    assert problems(window, size) == []


def test_a_table_that_is_too_high_or_covered_or_cut_is_noticed(window, site):
    opened(window, site, 1)
    window.evaluate("document.querySelector('.kv-frame').style.setProperty('--height', '900px')")
    assert "[data-do=play] is out of sight" in str(problems(window, (1280, 720), stride=50))
    window.evaluate("document.querySelector('.kv-frame').style.removeProperty('--height')")
    assert problems(window, (1280, 720), stride=50) == []
    window.evaluate("document.querySelector('.kv-dock').style.marginTop = '-120px'")
    assert "is covered" in str(problems(window, (1280, 720), stride=50))
    window.evaluate("document.querySelector('.kv-dock').style.marginTop = ''")
    window.evaluate("document.querySelector('.kv-seats').style.height = '6em'")
    assert "is cut off" in str(problems(window, (1280, 720), stride=5))

"""What can be told of a file without running it: its class, and the games it plays."""

import pytest

from engine.registry import GAMES
from runners.plugins.discovery import kits
from runners.upload.check import check
from runners.upload.source import outline_own

BODY = "    def decide(self, view, options):\n        return options[0]\n"


def written(base="Bot", imported="from bots_sdk import Bot", body=BODY, after=""):
    return outline_own(f"{imported}\n\nclass Mine({base}):\n{body}{after}")


@pytest.mark.parametrize(("name", "slug"), [(kit.base, slug) for slug, kit in kits().items()])
@pytest.mark.parametrize(
    ("base", "imported"),
    [
        ("{name}", "from bots_sdk.games.{module} import {name}, Offer"),
        ("Base", "from bots_sdk.games.{module} import {name} as Base"),
        ("kit.{name}", "import bots_sdk.games.{module} as kit"),
        ("bots_sdk.games.{module}.{name}", "import bots_sdk.games.{module}"),
    ],
)
def test_the_base_class_of_a_game_makes_a_bot_and_implies_the_game(name, slug, base, imported):
    words = {"name": name, "module": slug.replace("-", "_")}
    outline = written(base.format(**words), imported.format(**words), body="    pass\n")
    assert (outline.name, outline.games) == ("Mine", (slug,))


@pytest.mark.parametrize(
    ("outline", "games"),
    [
        pytest.param(written(), (), id="a plain bot plays all"),
        pytest.param(written(body="    games = ['basari']\n" + BODY), ("basari",), id="a list"),
        pytest.param(
            written(body="    games: tuple = ('basari', 'edelsteinsuche')\n" + BODY),
            ("basari", "edelsteinsuche"),
            id="annotated",
        ),
        pytest.param(
            written("BasariBot", body="    games = ['edelsteinsuche']\n" + BODY),
            ("edelsteinsuche",),
            id="said is said",
        ),
        pytest.param(
            written("BasariBot", after="class Leaf(Mine):\n    pass\n"), ("basari",), id="inherited"
        ),
        pytest.param(written(body="    games = sorted(x)\n" + BODY), (), id="only running tells"),
        pytest.param(
            written(body="    games = ['chess', 'basari', '\\x00', 'basari']\n" + BODY),
            ("basari",),
            id="only games there are, once",
        ),
        pytest.param(
            written("BasariBot", after="class Other(Bot):\n    pass\nBOT = Other\n"),
            (),
            id="of the class that BOT names",
        ),
    ],
)
def test_the_games_are_those_the_class_says_or_inherits(outline, games):
    assert outline.games == games


def test_an_offer_is_no_base_of_a_bot():
    outline = written("Offer", "from bots_sdk.games.basari import BasariBot, Offer")
    assert outline.finding("class").code == "E102"


def test_classes_that_inherit_from_each_other_are_no_bots_and_end():
    outline = outline_own("class A(B):\n    pass\n\nclass B(A):\n    pass\n")
    assert outline.finding("class").code == "E102"


def test_a_bot_is_not_checked_for_a_game_it_does_not_play():
    source = b"from bots_sdk.games.basari import BasariBot\n\nclass Mine(BasariBot):\n    pass\n"
    *_, last = check(source, GAMES["edelsteinsuche"])
    assert (last.name, last.message.code, last.line) == ("class", "E107", 3)
    assert last.message.explanation == "`Mine` plays basari, not edelsteinsuche."


def test_a_class_without_a_line_of_its_own_passes_the_check_of_its_game():
    source = b"from bots_sdk.games.basari import BasariBot\n\nclass Mine(BasariBot):\n    pass\n"
    steps = list(check(source, GAMES["basari"]))
    assert all(step.ok for step in steps), steps[-1]
    assert [step.name for step in steps][-1] == "match"

"""What an author's file finds in the box: the class, and the view it is shown."""

import subprocess
import sys

import pytest

from bots_sdk import Bot, View
from bots_sdk.bot import find_bot


def test_the_sdk_of_a_box_imports_nothing_heavy():
    program = "import sys; import bots_sdk; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules = set(done.stdout.split())
    assert "bots_sdk.bot" in modules
    assert not modules & {"typer", "rich", "runners", "random", "json", "engine"}


def test_chance_is_seeded_and_needs_no_constructor():
    class Own(Bot):
        def __init__(self):
            self.first = self.rng.random()

    one, two = Own(), Own()
    assert one.first == two.first
    assert one.rng is one.rng


def test_a_note_is_said_once_and_cut():
    bot = Bot()
    bot.note("first")
    bot.note("x" * 300)
    assert bot.take_note() == "x" * 200
    assert bot.take_note() is None


def test_a_bot_without_decide_says_what_to_write():
    with pytest.raises(NotImplementedError, match="decide"):
        Bot().decide(View(), [])


class Leaf(Bot):
    pass


class Deeper(Leaf):
    pass


class Beside(Bot):
    pass


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param({"Bot": Bot, "Leaf": Leaf}, Leaf, id="the only one"),
        pytest.param({"Leaf": Leaf, "Deeper": Deeper}, Deeper, id="the leaf"),
        pytest.param({"Leaf": Leaf, "Beside": Beside, "BOT": Leaf}, Leaf, id="the one named"),
        pytest.param({"Leaf": Leaf, "Same": Leaf}, Leaf, id="one class by two names"),
    ],
)
def test_the_bot_is_the_only_leaf_or_the_one_that_is_named(names, found):
    assert find_bot(names, __name__) is found


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"Bot": Bot}, "no class"),
        ({"Leaf": Leaf, "Beside": Beside}, "Beside, Leaf"),
        ({"BOT": 7}, "BOT must name"),
    ],
)
def test_a_file_without_exactly_one_bot_is_refused(names, said):
    with pytest.raises(TypeError, match=said):
        find_bot(names, __name__)


def test_an_imported_bot_is_not_the_author_s():
    with pytest.raises(TypeError, match="no class"):
        find_bot({"Leaf": Leaf}, "another file")


def test_a_view_without_a_field_says_what_there_is():
    view = View(money=3)
    view.plan = "x"
    assert view["plan"] == "x"
    with pytest.raises(AttributeError, match="no 'gems'; it has money, plan"):
        _ = view.gems

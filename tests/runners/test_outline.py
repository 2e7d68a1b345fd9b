"""What reading a file tells of its methods and of the house bots it is built on."""

import pytest

from engine.registry import GAMES
from runners.box.manifest import manifest
from runners.faults import message
from runners.upload.check import check
from runners.upload.source import outline_own, read_outline

TYPED = "from bots_sdk.games.basari import BasariBot\n\n\nclass MyBot(BasariBot):\n"
PLAIN = "from bots_sdk import Bot\n\n\nclass MyBot(Bot):\n"


def explained(finding):
    return message(finding.code, **finding.values)


def problem(text):
    return explained(read_outline(text).finding("class"))


def warnings(text):
    return [explained(finding) for finding in read_outline(text).warnings]


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("def choose_action(self, view)", "takes 2 parameters, but it is called with 3"),
        ("def choose_action(self, view, options, extra)", "takes 4 parameters"),
        ("def choose_action(self, view, *, options)", "(self, view, *, options)` takes 3"),
        ("async def choose_action(self, view, options)", "is `async`, and nobody awaits it"),
    ],
)
def test_wrong_parameters_of_a_method_for_a_decision_are_refused_by_its_name(signature, words):
    shown = problem(f"{TYPED}    {signature}:\n        return options[0]\n")
    assert shown.code == "E104"
    assert shown.explanation.startswith(f"Line 5: `{signature}`")
    assert words in shown.explanation
    assert "Write `def choose_action(self, view, options):`." in shown.fix


@pytest.mark.parametrize(
    "method",
    [
        "def choose_action(self, view, options):",
        "def choose_action(self, *arguments):",
        "def choose_action(self, view, options=()):",
        "@staticmethod\n    def choose_action(view, options):",
        "def helper(self):",
    ],
)
def test_other_ways_to_take_the_same_are_fine(method):
    assert read_outline(f"{TYPED}    {method}\n        return 'points'\n").findings() == []


def test_a_misspelt_method_is_a_warning_with_the_nearest_name_and_no_refusal():
    text = f"{TYPED}    def chose_action(self, view, options):\n        return 'points'\n"
    assert read_outline(text).findings() == []
    (warning,) = warnings(text)
    assert warning.code == "E108"
    assert warning.explanation == (
        "Line 5: nobody calls `chose_action`. `choose_action` is the method that is called."
    )
    assert "Rename it to `choose_action`; until then, `BasariBot` makes" in warning.fix


@pytest.mark.parametrize(
    "body",
    [
        "def choose_best_action(self):\n        return 1\n\n    x = self.choose_best_action()",
        "def _chose_action(self):\n        return 1",
        "def evaluate(self, position):\n        return 1",
        "@property\n    def chose_action(self):\n        return 1",
    ],
)
def test_a_helper_is_no_misspelt_method(body):
    assert warnings(f"{TYPED}    {body}\n") == []


def test_a_plain_bot_without_decide_is_refused_with_the_method_that_may_be_meant():
    shown = problem(f"{PLAIN}    def decied(self, view, options):\n        return options[0]\n")
    assert shown.code == "E104"
    assert shown.explanation == (
        "`MyBot` (line 4) has no method `decide`, which is asked for every move. "
        "Line 5 has `decied`."
    )
    assert shown.fix.startswith("Rename `decied` in line 5 to `decide`.")


@pytest.mark.parametrize(
    "text",
    [
        f"{PLAIN}    decide = lambda self, view, options: options[0]\n",
        f"{PLAIN}    pass\n\n\nsetattr(MyBot, 'decide', None)\n",
        f"{PLAIN}    pass\n\n\nMyBot.decide = None\n",
        "from bots_sdk import Bot\nfrom mine import Mixin\n\n\nclass MyBot(Mixin, Bot):\n    0\n",
        "from bots_sdk import Bot\n\n\nclass MyBot(Bot, metaclass=type):\n    pass\n",
    ],
)
def test_a_bot_that_may_get_its_decide_elsewhere_is_not_judged_by_reading(text):
    assert read_outline(text).finding("class") is None


def test_the_method_of_a_decision_is_known_unless_the_bot_decides_itself():
    typed = outline_own(f"{TYPED}    def choose_action(self, view, options):\n        return 1\n")
    assert typed.method_for("CHOOSE_ACTION") == "choose_action"
    assert typed.lines == {"choose_action": 5}
    own = outline_own(f"{TYPED}    def decide(self, view, options):\n        return 1\n")
    assert own.method_for("CHOOSE_ACTION") == "decide"


FORMS = {
    "a class": "from {module} import {name}\n\n\nclass MyBot({name}):\n    pass\n",
    "a class by another name": "from {module} import {name} as H\n\n\nclass MyBot(H):\n    pass\n",
    "a module": "from {package} import {stem}\n\n\nclass {name}({stem}.{name}):\n    pass\n",
    "a whole path": "import {module}\n\n\nclass MyBot({module}.{name}):\n    pass\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("module", manifest().house)
def test_every_house_bot_can_be_inherited_from(module, form):
    package, _, stem = module.rpartition(".")
    bot = outline_own(manifest().house[module].read_text())
    text = FORMS[form].format(module=module, package=package, stem=stem, name=bot.name)
    outline = outline_own(text)
    assert outline.findings() == []
    assert outline.games == bot.games
    assert outline.warnings == ()


def test_a_subclass_of_a_house_bot_plays_in_the_box():
    text = (
        "from bots_sdk.games.basari.house.greedy import Greedy\n\n\n"
        "class MyBot(Greedy):\n    def choose_action(self, view, options):\n"
        "        return super().choose_action(view, options)\n"
    )
    assert all(step.ok for step in check(text.encode(), GAMES["basari"]))

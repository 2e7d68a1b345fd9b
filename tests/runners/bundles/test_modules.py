"""The modules of bundles in this process: as alone as in boxes, and nobody else sees them."""

import gc
import sys
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from runners.boxed import boxed_players
from runners.bundles.cache import place_bundle
from runners.bundles.pack import read_folder
from runners.limits import DEFAULT
from runners.local import LocalPlayer, load
from runners.match import play
from tests.runners.bundles.local_bundles import FIRST, GAME, bot, match, notes, write

LAYOUT = {
    "bot.py": """
import importlib
from importlib.resources import files

from bots_sdk import Bot

import model
import parts.deep
from .random import OWN
from .relative.inner import ABOVE

assert parts.deep.model is model


class Written(Bot):
    def decide(self, view, options):
        from later import choose
        import plain.inner

        assert importlib.import_module("model") is model
        assert importlib.import_module(".relative.inner", __package__).ABOVE == ABOVE
        texts = [
            files(__package__).joinpath("data/table.txt").read_text(),
            files("parts").joinpath("deep.txt").read_text(),
            files("plain").joinpath("plain.txt").read_text(),
            files("data").joinpath("table.txt").read_text(),
        ]
        model.asked += 1
        self.note(f"{' '.join(texts)} {plain.inner.VALUE} {OWN} {ABOVE} {model.asked}")
        return choose(options)
""",
    "model.py": """
from __future__ import annotations
import random
from dataclasses import dataclass

assert hasattr(random, "Random")
asked = 0


@dataclass
class Point:
    x: int
""",
    "random.py": "OWN = 'own random'\n",
    "later.py": "def choose(options):\n    return options[0]\n",
    "parts/__init__.py": "",
    "parts/deep.py": "import model\n",
    "relative/__init__.py": "",
    "relative/inner.py": "from .. import above\nfrom ..above import ABOVE\n",
    "above.py": "ABOVE = 3\n",
    "parts/deep.txt": "deep",
    "plain/inner.py": "VALUE = 5\n",
    "plain/plain.txt": "plain",
    "data/table.txt": "table",
}


@pytest.fixture
def bundle(tmp_path):
    return lambda name, files: write(tmp_path / name, files)


@pytest.mark.parametrize("entry", ["bot.py", "__init__.py"])
def test_modules_packages_and_resources_are_found(bundle, entry):
    files = {entry if path == "bot.py" else path: text for path, text in LAYOUT.items()}
    result = match(bundle("mine", files), *[bundle("other", {"bot.py": FIRST})] * 2)
    assert not result.faults, result.faults
    own = notes(result, 0)
    assert own
    assert own == [
        f"table deep plain table 5 own random 3 {1 + count}" for count in range(len(own))
    ]


def test_a_bundle_plays_the_same_match_in_a_box(bundle):
    folders = [bundle("mine", LAYOUT), *[bundle("other", {"bot.py": FIRST})] * 2]
    bundles = [place_bundle(read_folder(folder)) for folder in folders]
    with boxed_players(bundles, "7") as players:
        boxed = play(GAME, players, "7", recorded=True)
    own = match(*folders)
    assert not boxed.faults, boxed.faults
    assert notes(boxed, 0) == notes(own, 0)
    assert boxed.outcome == own.outcome


def test_two_bundles_with_modules_of_one_name_never_see_each_others(bundle):
    entry = bot(
        *("from late import WHO", "import shared", "shared.asked.append(WHO)"),
        "self.note(f'{WHO} {shared.WHO} {len(shared.asked)}')",
        "return options[len(options) - 1 if WHO == 'b' else 0]",
    )
    folders = [
        bundle(
            who,
            {
                "bot.py": entry,
                "late.py": f"WHO = {who!r}",
                "shared.py": f"WHO = {who!r}\nasked = []",
            },
        )
        for who in "ab"
    ]
    one, other = map(load, folders)
    result = match(one, other, one)
    assert not result.faults, result.faults
    for seat, who in enumerate("aba"):
        own = notes(result, seat)
        assert own == [f"{who} {who} {count}" for count in range(1, len(own) + 1)]


def test_outside_of_a_call_nothing_of_a_bundle_is_left(bundle, monkeypatch):
    foreign = type(sys)("model")
    monkeypatch.setitem(sys.modules, "model", foreign)
    before, finders = dict(sys.modules), list(sys.meta_path)
    match(bundle("mine", LAYOUT), *[bundle("other", {"bot.py": FIRST})] * 2)
    match(*[bundle("broken", {"bot.py": "import model\n1 / 0\n" + FIRST, "model.py": ""})] * 3)
    names = {"bot", "model", "later", "parts", "plain"}
    after = {name: one for name, one in sys.modules.items() if name.partition(".")[0] in names}
    assert after == {"model": foreign}
    assert before.items() <= sys.modules.items()
    assert sys.meta_path == finders


def test_the_modules_of_a_player_go_with_it(bundle):
    player = load(bundle("mine", LAYOUT))("1")
    assert not player.failure
    module = weakref.ref(player._bot.__class__)
    assert module() is not None
    del player
    gc.collect()
    assert module() is None


def test_the_files_run_anew_for_every_player_but_are_read_once(bundle, tmp_path):
    folder = bundle(
        "mine", {"bot.py": bot("return options[0]", before="import model"), "model.py": ""}
    )
    program = load(folder)
    (folder / "model.py").write_text("1 / 0", encoding="utf-8")
    one, other = program("1"), program("1")
    assert not one.failure
    assert type(one._bot) is not type(other._bot)
    assert "ZeroDivisionError" in load(folder)("1").failure.traceback


def test_a_traceback_names_the_files_as_they_were_named_and_no_step_between(bundle, monkeypatch):
    folder = bundle(
        "mine",
        {
            "bot.py": bot("from parts.deep import fail", "fail()"),
            "parts/deep.py": "def fail():\n    raise LookupError('deep')\n",
        },
    )
    monkeypatch.chdir(folder.parent)
    result = match(Path("mine"), *[bundle("other", {"bot.py": FIRST})] * 2)
    assert result.faults[0].traceback == (
        "Traceback (most recent call last):\n"
        '  File "mine/bot.py", line 6, in decide\n'
        "    fail()\n"
        '  File "mine/parts/deep.py", line 2, in fail\n'
        "    raise LookupError('deep')\n"
        "LookupError: deep\n"
    )


@pytest.mark.parametrize("how", ["import deep", "from .deep import x", "from . import deep"])
def test_a_module_that_fails_while_it_is_imported_is_shown_with_its_line(bundle, how, monkeypatch):
    folder = bundle("mine", {"bot.py": f"{how}\n{FIRST}", "deep.py": "\n\nraise OSError('no')\n"})
    monkeypatch.chdir(folder.parent)
    assert load("mine/")("1").failure.traceback == (
        "Traceback (most recent call last):\n"
        f'  File "mine/bot.py", line 1, in <module>\n    {how}\n'
        "  File \"mine/deep.py\", line 3, in <module>\n    raise OSError('no')\n"
        "OSError: no\n"
    )


def test_a_bundle_cannot_replace_what_the_rest_of_the_process_needs(bundle):
    names = ("json", "random", "engine", "bots_sdk", "numpy", "runners", "secrets", "colorsys")
    files = {f"{name}.py": "raise SystemExit" for name in names if name != "runners"}
    imports = "import json, random, engine.registry, bots_sdk, secrets, colorsys"
    lines = ("assert json.dumps(colorsys.rgb_to_hls(0, 0, 0))", "return options[0]")
    files |= {"bot.py": bot(*lines, before=imports), "runners.py": "raise SystemExit"}
    assert not match(*[bundle("mine", files)] * 3).faults
    assert hasattr(sys.modules["json"], "dumps")
    assert sys.modules["runners"].__path__


def test_a_call_that_is_cut_off_leaves_no_modules_behind(bundle):
    limits = replace(DEFAULT, decision_wall_ms=200, decision_cpu_ms=200)
    endless = bot("import model", "while True: import model")
    folder = bundle("mine", {"bot.py": endless, "model.py": ""})
    table = [LocalPlayer(folder, "1", limits), *[load(bundle("other", {"bot.py": FIRST}))("2")] * 2]
    result = play(GAME, table, "7")
    assert [fault.code for fault in result.faults] == ["E302"]
    assert f'File "{folder}/bot.py", line 6' in result.faults[0].traceback
    assert not {"bot", "model"} & set(sys.modules)

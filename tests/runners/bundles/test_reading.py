"""All Python files of a bundle are read: the bot, the imports, and which file is wrong where."""

from dataclasses import replace

import pytest

from engine.registry import GAMES
from runners.bundles.bundle import Bundle
from runners.bundles.pack import from_files, pack
from runners.faults import message
from runners.limits import DEFAULT
from runners.upload.bundle_source import outline_own_bundle, read_texts
from runners.upload.source import read_upload

HEAD = "from bots_sdk import Bot\n"
BOT = (
    f"{HEAD}\n\nclass Mine(Bot):\n    def decide(self, view, options):\n        return options[0]\n"
)
BASARI = "from bots_sdk.games.basari import BasariBot\n"


def bundle(entry=BOT, name="bot.py", **files):
    """A bundle; `a__b` is `a/b.py`, and `a_npy` is `a.npy`."""
    texts = {name: entry} | {file_name(key): text for key, text in files.items()}
    return from_files({path: text.encode() for path, text in texts.items()})


def file_name(key):
    path = key.replace("__", "/")
    path = path.replace("/init", "/__init__")
    return f"{path[:-4]}.npy" if path.endswith("_npy") else f"{path}.py"


def read(*arguments, **files):
    return read_upload(bundle(*arguments, **files), DEFAULT).outline


def texts_of(findings):
    return [message(one.code, **one.values).explanation for one in findings]


def places(findings):
    return [(one.code, one.file, one.line) for one in findings]


IMPORTS = {
    "a module": ("import model", {"model": ""}),
    "a module by another name": ("import model as m", {"model": ""}),
    "from a module": ("from model import x", {"model": ""}),
    "a relative module": ("from .model import x", {"model": ""}),
    "a relative name": ("from . import model", {"model": ""}),
    "a name of the entry file": ("from . import x", {"model": "from . import Mine"}),
    "a package": ("import net", {"net__init": ""}),
    "a module of a package": ("import net.layers", {"net__init": "", "net__layers": ""}),
    "a folder without a file of its own": ("import net.layers", {"net__layers": ""}),
    "from a folder": ("from net import layers", {"net__layers": ""}),
    "a folder of data": ("from . import data", {"data__w_npy": ""}),
    "deep and relative": ("from .a.b.c import x", {"a__b__c": "from ...d import y", "d": ""}),
    "a sibling in a package": (
        "import a.b",
        {"a__b": "from .c import x\nfrom . import c", "a__c": ""},
    ),
    "a star": ("from model import *", {"model": ""}),
    "a library and a module": ("import random, model, numpy", {"model": ""}),
    "in a function": ("def f():\n    import model", {"model": ""}),
    "a module that is a package, too": (
        "import net.layers",
        {"net": "", "net__init": "", "net__layers": ""},
    ),
}


@pytest.mark.parametrize("name", IMPORTS)
@pytest.mark.parametrize("entry", ["bot.py", "__init__.py"])
def test_an_import_is_found_in_the_bundle(name, entry):
    statement, files = IMPORTS[name]
    outline = read(f"{statement}\n{BOT}", entry, **files)
    assert (outline.findings(), outline.warnings) == ([], ())
    assert outline.name == "Mine"


MISSING = {
    "a module": ("import model", {}),
    "a relative module": ("from .model import x", {}),
    "a relative module in a package": ("from .net.model import x", {"net__init": ""}),
    "a module of a package": ("import net.model", {"net__init": ""}),
    "a module of a module": ("import net.model", {"net": ""}),
    "a module of a folder": ("from net import model", {"net__other": ""}),
    "a module of a folder of data": ("import data.model", {"data__w_npy": ""}),
    "above the bundle": ("from ..model import x", {"model": ""}),
    "a package that no box has": ("import torch", {}),
    "a data file": ("import w", {"w_npy": ""}),
    "a library by a dot": ("from .random import x", {}),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_module_is_told_with_file_and_line(name):
    statement, files = MISSING[name]
    outline = read(f"\n{statement}\n{BOT}", **files)
    assert places(outline.findings()) == [("E110", "bot.py", 2)]
    (text,) = texts_of(outline.findings())
    assert text.startswith(f"`bot.py`, line 2: `{statement}` names a module that is neither in the")


def test_a_missing_module_of_a_module_is_told_with_its_file():
    outline = read(f"import a.b\n{BOT}", a__b="x = 1\n\nfrom .c import y\n")
    assert places(outline.findings()) == [("E110", "a/b.py", 3)]


def test_a_forbidden_import_is_told_with_file_and_line():
    outline = read(f"import model\n{BOT}", model="x = 1\nimport socket\n")
    assert places(outline.findings()) == [("E105", "model.py", 2)]
    assert texts_of(outline.findings())[0].startswith("In `model.py`, line 2: `import socket`.")


def test_a_file_that_nobody_imports_is_read_too_and_can_be_left_out():
    outline = read(train="import torch\n", tool="import socket\n")
    (finding,) = outline.findings()
    assert places([finding]) == [("E105", "tool.py", 1)]
    fix = message(finding.code, **finding.values).fix
    assert "No other file imports `tool.py`: you can also leave it out." in fix


def test_a_syntax_error_is_told_with_file_line_and_excerpt():
    (finding,) = read(f"import model\n{BOT}", model="x = 1\ny = = 2\n").findings()
    assert places([finding]) == [("E101", "model.py", 2)]
    assert finding.excerpt == "y = = 2"
    assert texts_of([finding])[0].startswith("In `model.py`, line 2, column 5: invalid syntax.")


BROKEN = {
    "not UTF-8": (b"x = '\xff'", "is not UTF-8: byte 5; save it as UTF-8"),
    "a zero byte": (b"x = 1\0", "has a zero byte at 5"),
    "too large": (b"#" * (257 << 10), "has 257 KB of Python, the limit is 256 KB"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_python_file_that_is_no_text_is_refused_by_name(name):
    data, reason = BROKEN[name]
    outline = read_upload(Bundle({"bot.py": BOT.encode(), "a/b.py": data}), DEFAULT).outline
    (finding,) = outline.findings()
    assert (finding.code, finding.file, finding.line) == ("E109", "a/b.py", None)
    assert reason in finding.values["reason"]
    assert outline.finding("text")


def test_all_python_files_together_are_limited():
    files = {f"m{number}.py": b"#" * (250 << 10) for number in range(9)}
    (finding,) = read_upload(Bundle({"bot.py": BOT.encode()} | files), DEFAULT).outline.findings()
    assert "2,250 KB together, the limit is 2,048 KB" in finding.values["reason"]


HOSTILE = {
    "statements without end": "1;" * (120 << 10),
    "parentheses": "(" * 200_000,
    "a format string that takes the square": f'f"{"{x}" * 80_000}"',
    "a sum without end": "x=" + "a+" * 120_000 + "1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_keeps_a_reader_busy_is_refused_by_name_in_bounded_time(name):
    findings = read(f"import model\n{BOT}", model=HOSTILE[name]).findings()
    assert {one.code for one in findings} <= {"E101", "E109"}
    assert len(findings) == 1
    assert "`model.py`" in texts_of(findings)[0] or "computing time" in texts_of(findings)[0]


CYCLES = {
    "two modules": ({"a": "\nimport b", "b": "import a"}, ["`a.py` → `b.py` → `a.py`"], 2),
    "three modules": (
        {"a": "import c", "b": "import a", "c": "import b"},
        ["`a.py` → `c.py` → `b.py` → `a.py`"],
        1,
    ),
    "relative ones": (
        {"p__a": "from .b import x", "p__b": "from . import a"},
        ["`p/a.py` → `p/b.py` → `p/a.py`"],
        1,
    ),
    "in a class and in a branch": (
        {"a": "class A:\n    if 1:\n        import b", "b": "try:\n    import a\nexcept E: 0"},
        ["`a.py` → `b.py` → `a.py`"],
        3,
    ),
    "a package and its module": (
        {"p__init": "from .a import x", "p__a": "from . import x"},
        ["`p/__init__.py` → `p/a.py` → `p/__init__.py`"],
        1,
    ),
}


@pytest.mark.parametrize("name", CYCLES)
def test_modules_that_import_each_other_are_worth_a_notice(name):
    files, shown, line = CYCLES[name]
    outline = read(**files)
    assert outline.findings() == []
    assert [one.code for one in outline.warnings] == ["E111"]
    assert [one.values["files"] for one in outline.warnings] == shown
    assert outline.warnings[0].line == line
    assert outline.warnings[0].file == shown[0].split("`")[1]


NO_CYCLES = {
    "an import within a function": {"a": "import b", "b": "def f():\n    import a"},
    "an import for type checkers": {
        "a": "import b",
        "b": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a",
    },
    "a package that offers its modules": {
        "p__init": "from .a import x\nfrom .b import y",
        "p__a": "from .b import y",
        "p__b": "import numpy",
    },
    "siblings by the name of their package": {
        "p__init": "from . import a",
        "p__a": "from . import b",
        "p__b": "",
    },
    "a diamond": {"a": "import b, c", "b": "import d", "c": "import d", "d": ""},
    "itself": {"a": "import a"},
}


@pytest.mark.parametrize("name", NO_CYCLES)
def test_what_is_no_cycle_while_loading_is_not_told(name):
    assert read(**NO_CYCLES[name]).warnings == ()


def test_several_cycles_are_told_and_not_without_end():
    names = "abcdefghijklmnop"
    files = {one: "\n".join(f"import {other}" for other in names) for one in names}
    assert len(read(**files).warnings) == 5
    two = read(a="import b", b="import a", c="import d", d="import c")
    assert [one.file for one in two.warnings] == ["a.py", "c.py"]


@pytest.mark.parametrize(
    ("statement", "own"),
    [
        ("import random", "random"),
        ("from numpy import array", "numpy"),
        ("import engine.rng", "engine__init"),
        ("from bots_sdk import Bot", "bots_sdk"),
    ],
)
def test_a_file_with_the_name_of_a_library_is_worth_a_notice_if_the_library_is_imported(
    statement, own
):
    outline = read(f"{statement}\n{BOT}", **{own: ""})
    path = file_name(own)
    assert outline.findings() == []
    assert places(outline.warnings) == [("E112", "bot.py", 1)]
    (text,) = texts_of(outline.warnings)
    assert text.startswith(f"`bot.py`, line 1: `{statement}` imports the library of this name, not")
    assert f"not `{path}` of the bundle" in text


def test_a_file_with_the_name_of_a_library_may_be_imported_by_a_dot():
    assert (
        read(f"from .queue import x\nfrom . import types\n{BOT}", queue="", types="").warnings == ()
    )


def test_a_file_with_the_name_of_a_forbidden_module_is_told_to_be_renamed():
    (finding,) = read(f"import select\n{BOT}", select="").findings()
    assert finding.code == "E105"
    assert "rename that file" in message(finding.code, **finding.values).fix


ELSEWHERE = {
    "from a module": ("from model import Other\nBOT = Other\n", "model"),
    "from a relative module": ("from .model import Other\nBOT = Other\n", "model"),
    "by another name": ("from .model import Other as O\nBOT = O\n", "model"),
    "as BOT": ("from .model import Other as BOT\n", "model"),
    "a module's": ("from . import model\nBOT = model.Other\n", "model"),
    "a whole path": ("import net.model\nBOT = net.model.Other\n", "net__model"),
    "a star": ("from model import *\nBOT = Other\n", "model"),
}
TYPED = f"""{BASARI}

class Other(BasariBot):
    def choose_action(self, view, options):
        return options[0]
"""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_bot_may_be_a_class_of_another_file(name):
    entry, key = ELSEWHERE[name]
    outline = read(entry, **{key: TYPED})
    assert outline.findings() == []
    assert (outline.name, outline.line, outline.file) == ("Other", 4, file_name(key))
    assert outline.games == ("basari",)
    assert outline.lines == {"choose_action": 5}
    assert outline.method_for("CHOOSE_ACTION") == "choose_action"


def test_the_bot_may_come_through_a_package_that_offers_it():
    entry = "from net import BOT\n"
    outline = read(entry, net__init="from .model import Other\nBOT = Other\n", net__model=TYPED)
    assert (outline.name, outline.file, outline.games) == ("Other", "net/model.py", ("basari",))


def test_the_bot_may_inherit_from_a_class_of_another_file():
    entry = "from .model import Other\n\n\nclass Mine(Other):\n    pass\n"
    outline = read(entry, model=TYPED)
    assert outline.findings() == []
    assert (outline.name, outline.file, outline.games) == ("Mine", "bot.py", ("basari",))


@pytest.mark.parametrize(
    "entry",
    [
        "from model import make\nBOT = make()\n",
        "from model import Unknown as BOT\n",
        "import model\nBOT = model.bots[0]\n",
    ],
)
def test_a_bot_that_only_running_can_tell_is_left_to_the_box(entry):
    outline = read(entry, model="def make(): 0\n")
    assert outline.findings() == []
    assert outline.games == ()
    assert outline.plays() == tuple(GAMES)


def test_classes_that_inherit_from_each_other_across_files_are_no_bots_and_end():
    outline = read("from a import A\nclass B(A): 0\n", a="from bot import B\nclass A(B): 0\n")
    assert outline.finding("class").code == "E102"


def test_an_imported_bot_has_to_be_named():
    (finding,) = read("from model import Other\n", model=TYPED).findings()
    assert places([finding]) == [("E102", "bot.py", None)]
    shown = message(finding.code, **finding.values)
    assert "none" in shown.explanation
    assert shown.fix.startswith("Add `BOT = Other` at the end of the file")


@pytest.mark.parametrize(
    ("entry", "code", "line", "words"),
    [
        ("x = 1\n", "E102", None, "from `Bot` in `bot.py` and found none"),
        (BOT + BOT.replace("Mine", "B"), "E103", 10, "in `bot.py`. We cannot"),
        (BOT.replace(", options", ""), "E104", 5, "In `bot.py`, line 5: `def decide(self, view)`"),
        (f"{HEAD}class Mine(Bot): 0\n", "E104", 2, "In `bot.py`, `Mine` (line 2) has no method"),
        (
            f"{HEAD}class Mine(Bot):\n  games = ['chess']\n  def decide(self, v, o): 0\n",
            "E107",
            2,
            "`Mine` plays chess",
        ),
    ],
)
def test_the_entry_file_is_judged_like_a_single_file(entry, code, line, words):
    (finding,) = read(entry, model="").findings()
    assert places([finding]) == [(code, "bot.py", line)]
    assert words in texts_of([finding])[0]


def test_a_method_that_nobody_calls_is_told_with_its_file():
    misspelt = TYPED.replace("choose_action", "chose_action")
    outline = read("from .model import Other\nBOT = Other\n", model=misspelt)
    assert places(outline.warnings) == [("E108", "model.py", 5)]
    assert texts_of(outline.warnings)[0].startswith("`model.py`, line 5: nobody calls")


def test_a_bundle_is_read_alike_in_a_child_and_here_and_from_a_zip():
    one = bundle(f"import a\n{BOT}", a="import b\n", b="import a\n", w_npy="123")
    upload = read_upload(one, DEFAULT)
    outline = outline_own_bundle(one, read_texts(one, DEFAULT))
    assert places(outline.warnings) == places(upload.outline.warnings) == [("E111", "a.py", 1)]
    assert replace(outline, warnings=()) == replace(upload.outline, warnings=())
    for compress in (False, True):
        assert read_upload(pack(one, compress=compress), DEFAULT) == upload
    assert upload.outline.modules == ("a.py", "b.py", "bot.py")
    assert upload.text == upload.text_of("bot.py")
    assert upload.text_of("a.py") == "import b\n"


def test_names_of_hostile_letters_can_be_stored_and_shown():
    statement = "import " + "ｘ" * 300
    (finding,) = read(f"{statement}\n{BOT}").findings()
    shown = texts_of([finding])[0]
    assert shown.isprintable()
    assert len(shown) < 400

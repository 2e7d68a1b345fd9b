"""Bots that are folders, in boxes of every mode: what they import, open and are told."""

import io
import os
import py_compile
from contextlib import closing

import pytest

from engine.registry import GAMES
from runners.box import modes, template
from runners.box.launch import Box
from runners.box.modes import Mode
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.match import play
from tests.hostile.test_hostile import why_no_boxes
from tests.runners.boxes import FIRST, ask, bot
from tests.runners.bundles.boxes import (
    PATIENT,
    boxes_with,
    every_mode,
    move_of,
    placed,
    placed_files,
)
from tests.runners.templates import template_pid

pytestmark = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))


@pytest.fixture
def mode(request, monkeypatch):
    """The mode of all boxes of a test."""
    monkeypatch.setenv("SANDBOX", request.param)
    modes.use_mode(None)
    return request.param


every_mode = pytest.mark.parametrize("mode", every_mode.args[1], indirect=True)


def failure_of(code):
    """Why a bot does not start."""
    with boxed_players([code], "7", PATIENT) as [player]:
        return player.failure


IMPORTS = {
    "a module beside it": ("import model", "model.NAME"),
    "a module beside it, relatively": ("from .model import NAME", "NAME"),
    "a module beside it, by the package": ("from . import model", "model.NAME"),
    "a package": ("import nets.layers", "nets.layers.NAME"),
    "a package, relatively": ("from .nets.layers import NAME", "NAME"),
    "a folder without an __init__": ("import plain.deep", "plain.deep.NAME"),
    "modules that import each other": ("import model, other", "other.model.NAME"),
}
MODULES = {
    "model.py": "NAME = 'model'\n",
    "other.py": "import model\n",
    "nets/__init__.py": "",
    "nets/layers.py": "from .names import NAME\n",
    "nets/names.py": "NAME = 'nets'\n",
    "plain/deep.py": "NAME = 'plain'\n",
}


@every_mode
@pytest.mark.parametrize("name", IMPORTS)
def test_a_bot_imports_what_lies_in_its_folder(mode, name):
    statement, expression = IMPORTS[name]
    code = placed_files(MODULES | {"bot.py": bot(f"return {expression}", before=statement)})
    assert move_of(code) in {"model", "nets", "plain"}


@every_mode
def test_a_bot_can_be_a_package_with_its_class_in_another_module(mode):
    files = {"__init__.py": "from .player import Written as BOT\n", "player.py": bot("return 'a'")}
    assert move_of(placed_files(files)) == "a"


RESOURCES = bot(
    "own = resources.files(__package__).joinpath('table.txt').read_text()",
    "deep = resources.files('nets').joinpath('table.txt').read_text()",
    "return f'{own} {deep} {open(Path(__file__).parent / name).read()}'",
    before="from importlib import resources\nfrom pathlib import Path\nname = 'table.txt'",
)


@every_mode
def test_a_bot_reads_resources_and_files_beside_itself(mode):
    files = {"nets/__init__.py": "", "nets/table.txt": "two", "table.txt": "one"}
    assert move_of(placed_files(files | {"bot.py": RESOURCES})) == "one two one"


def test_a_bot_opens_its_data_by_name():
    source = bot(
        "with self.open_data('a/x.bin') as file: return str(file.read()) + type(file).__name__"
    )
    assert move_of(placed(source, a__x_bin=b"123")) == "b'123'BufferedReader"


def test_a_bot_that_opens_a_missing_file_is_told_which_there_are():
    source = bot("return self.open_data('wieghts.npy')")
    with boxes_with(placed(source, a__weights_npy=b"1")) as [box]:
        text = ask(box).message["traceback"]
    assert text.endswith(
        "FileNotFoundError: the bot has no file 'wieghts.npy'; it has a/weights.npy, bot.py\n"
    )


@pytest.mark.parametrize("attribute", ["data_path", "open_data('x')"])
def test_a_bot_of_a_single_file_is_told_that_it_has_no_data(attribute):
    with boxes_with(bot(f"return self.{attribute}")) as [box]:
        text = ask(box).message["traceback"]
    assert "this bot is a single file; pack a folder to bring data" in text


def numpy_file(size):
    numpy = pytest.importorskip("numpy")
    file = io.BytesIO()
    numpy.save(file, numpy.arange(size, dtype="float32"))
    return file.getvalue()


MANY_FILES = 60


@every_mode
def test_a_bot_maps_many_numpy_files_and_numpy_has_all_its_parts(mode):
    source = bot(
        "assert np.fft.fft([1, 2])[0] == 3 and np.linalg.det([[2]]) == 2",
        "assert 0 < np.random.default_rng(1).random() < 1",
        f"paths = [self.data_path / f'{{number}}.npy' for number in range({MANY_FILES})]",
        "maps = [np.load(path, mmap_mode='r') for path in paths]",
        "assert all(isinstance(one, np.memmap) for one in maps)",
        "return str(int(sum(one[7] for one in maps)))",
        before="import numpy as np",
    )
    data = numpy_file(1000)
    files = {f"{number}.npy": data for number in range(MANY_FILES)}
    assert move_of(placed_files(files | {"bot.py": source})) == str(7 * MANY_FILES)


@every_mode
def test_a_bundle_imports_whatever_a_file_may(mode):
    names = "array bisect csv datetime decimal fractions hashlib json pickle random statistics zlib"
    with boxes_with(placed(bot("return 'a'", before=f"import {', '.join(names.split())}"))) as [
        box
    ]:
        assert ask(box).message["move"] == "a"


SHADOWS = ("random", "json", "linecache", "traceback", "pathlib", "decimal", "bots_sdk", "engine")


@every_mode
def test_a_module_of_a_bundle_replaces_nothing_of_ours_and_is_still_its_own(mode):
    files = {f"{name}.py": "NAME = 'of the bundle'\n" for name in SHADOWS}
    files["all.py"] = (
        f"import {', '.join(SHADOWS)}, engine.registry\n"
        f"TAKEN = [m.__name__ for m in ({', '.join(SHADOWS)}) if hasattr(m, 'NAME')]\n"
    )
    source = bot(
        "self.rng.random(), self.note('x')",
        "return f'{TAKEN} {NAME}'",
        before="from all import TAKEN\nfrom .random import NAME",
    )
    assert move_of(placed_files(files | {"bot.py": source})) == "[] of the bundle"


FAILING = {
    "bot.py": bot("return model.choose(options)", before="import model"),
    "model.py": "from nets import deep\n\n\ndef choose(options):\n    return deep.fail()\n",
    "nets/deep.py": "def fail():\n    # Not here.\n    raise ValueError(__file__)\n",
}


@every_mode
def test_a_traceback_shows_the_paths_and_lines_of_the_bundle_and_none_of_the_host(mode):
    with boxes_with(placed_files(FAILING)) as [box]:
        assert ask(box).message["traceback"] == (
            "Traceback (most recent call last):\n"
            '  File "bot.py", line 5, in decide\n    return model.choose(options)\n'
            "           ^^^^^^^^^^^^^^^^^^^^^\n"
            '  File "model.py", line 5, in choose\n    return deep.fail()\n'
            "           ^^^^^^^^^^^\n"
            '  File "nets/deep.py", line 3, in fail\n    raise ValueError(__file__)\n'
            "ValueError: nets/deep.py\n"
        )


@pytest.mark.parametrize(
    ("module", "text"),
    [
        pytest.param("x = (", '  File "model.py", line 1', id="syntax error"),
        pytest.param("1 / 0", '  File "model.py", line 1, in <module>', id="exception"),
        pytest.param("import nothing", "No module named 'nothing'", id="missing module"),
        pytest.param("from bot import nothing", "(bot.py)", id="missing name"),
    ],
)
@every_mode
def test_a_module_that_cannot_be_imported_is_named(mode, module, text):
    failure = failure_of(placed(bot("return 'a'", before="import model"), model_py=module))
    assert failure.code == "E201"
    assert text in failure.traceback
    assert "/" not in failure.traceback.replace("1 / 0", "")


def test_only_sources_are_modules(tmp_path):
    (tmp_path / "model.py").write_text("NAME = 1\n")
    compiled = py_compile.compile(str(tmp_path / "model.py"), str(tmp_path / "model.pyc"))
    files = {"bot.py": bot("return 'a'", before="import model")}
    code = placed_files(files | {"model.pyc": (tmp_path / "model.pyc").read_bytes()})
    assert compiled
    assert "No module named 'model'" in failure_of(code).traceback


def test_an_entry_that_is_too_large_does_not_start():
    failure = failure_of(placed("#" * (Limits().source_kib * 1024 + 1)))
    assert (failure.code, failure.detail) == ("E201", "The file has more than 256 KiB.")


@every_mode
def test_bundles_and_files_play_a_match_together(mode):
    bundle = placed(bot("return model.pick(options)", before="import model"), model_py=PICK)
    with boxed_players([bundle, FIRST, bundle], "deal 1") as players:
        played = play(GAMES["edel-stein-reich"], players, "deal 1")
    assert played.faults == []
    assert played.logs[0] == b"loaded\n"


PICK = "print('loaded')\n\n\ndef pick(options):\n    return options[0]\n"


def test_boxes_of_bundles_are_forks_and_those_of_files_come_from_another_template(monkeypatch):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)
    modes.use_mode(None)
    template.close_all()
    with boxes_with(FIRST, placed(FIRST)) as boxes:
        assert {type(box._process).__name__ for box in boxes} == {"Fork"}
        assert [kind.trees is None for kind in template._templates] == [True, False]
        assert template_pid() not in {box.pid for box in boxes}


def test_a_pool_keeps_its_boxes_for_files():
    with Pool(1) as pool:
        waiting = pool._boxes[0]
        bundle, file = pool.take_all([placed(FIRST), FIRST])
        assert (bundle.bundle_folder, file) == ("/bot", waiting)
        for box in (bundle, file):
            box.close()


def test_a_bundle_that_left_the_cache_is_our_failure(monkeypatch):
    code = placed(FIRST, x_txt=os.urandom(8))
    code.folder.rename(code.folder.with_name("0" * 32 + "-1"))
    try:
        for mode in (Mode.TEMPLATE, Mode.BWRAP):
            with (
                pytest.raises(InfrastructureError),
                closing(Box(Limits(), mode, bundle=code)) as box,
            ):
                box.wait_ready()
    finally:
        code.folder.with_name("0" * 32 + "-1").rename(code.folder)

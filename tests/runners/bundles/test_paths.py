"""Which paths a bundle may have, what is left out of it, and where its top is."""

import pytest

from runners.bundles.limits import DEFAULT
from runners.bundles.paths import is_junk, path_problem, problems_of, without_top_folder


@pytest.mark.parametrize(
    "path",
    [
        "bot.py",
        "weights/layer 1.npy",
        "größe.txt",
        "a/b/c/d/e/f/g/h.npy",
        "a.tar.gz",
        "so",
        "notes.sok",
        "日本.txt",
        "x" * 200,
        "two words/and-more_.txt",
        "...txt"[1:],
        "a..b",
    ],
)
def test_an_ordinary_path_is_fine(path):
    assert path_problem(path, DEFAULT) is None


@pytest.mark.parametrize(
    "path",
    [
        "__MACOSX/._bot.py",
        ".DS_Store",
        "a/.DS_Store",
        "__pycache__/bot.cpython-311.pyc",
        "a/__pycache__/x.txt",
        "bot.pyc",
        ".git/config",
        ".venv/lib/x.py",
        ".gitignore",
        "bot.py~",
        "#bot.py#",
        ".bot.py.swp",
        "bot.py.swo",
        "Icon\r",
        "Thumbs.db",
        "a/desktop.ini",
    ],
)
def test_what_systems_and_editors_leave_behind_is_junk(path):
    assert is_junk(path)


@pytest.mark.parametrize(
    "path", ["bot.py", "a/b.npy", "pycache/x", "a.bak", "../.git", "./bot.py", ".git/../x"]
)
def test_what_may_matter_or_leads_out_is_no_junk(path):
    assert not is_junk(path)


@pytest.mark.parametrize(
    ("paths", "places"),
    [
        (["my/bot.py", "my/a/b.npy"], ["bot.py", "a/b.npy"]),
        (["my/a/bot.py", "my/a/b.npy"], ["a/bot.py", "a/b.npy"]),
        (["my/bot.py", "other/b.npy"], ["my/bot.py", "other/b.npy"]),
        (["bot.py", "a/b.npy"], ["bot.py", "a/b.npy"]),
        (["my", "my/bot.py"], ["my", "my/bot.py"]),
        ([], []),
    ],
)
def test_one_top_folder_is_no_part_of_the_paths(paths, places):
    assert without_top_folder(paths) == dict(zip(paths, places, strict=True))


def test_paths_that_are_one_on_some_system_are_told_once_each():
    paths = ["bot.py", "a/x", "A/y", "BOT.py", "A", "ok/z", "ok/z2"]
    assert [path for path, _ in problems_of(paths)] == ["A/y", "BOT.py", "A"]
    assert list(problems_of(["bot.py", "a/x", "a/y", "b/x"])) == []

"""How files are listed, measured and described on pages."""

import json
import struct

import pytest

from league.bots.source import bundle_diff, file_view, tree
from league.bots.source.limited import arrays
from league.pages.templatetags.karat import file_size
from runners.bundles.bundle import ListedFile


def head_of(text, version=1):
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text


def listed(*paths, size=1):
    return [ListedFile(path, size, f"digest of {path}") for path in paths]


def test_a_folder_stands_before_its_files_and_says_what_is_in_it():
    rows = tree.rows(listed("z.npy", "nets/deep/a.npy", "nets/b.npy", "bot.py", "nets.py"))
    assert [(row.depth, row.name, row.file_count, row.kind) for row in rows] == [
        (0, "bot.py", 0, "Python"),
        (0, "nets", 2, "folder"),
        (1, "b.npy", 0, "NumPy array"),
        (1, "deep", 1, "folder"),
        (2, "a.npy", 0, "NumPy array"),
        (0, "nets.py", 0, "Python"),
        (0, "z.npy", 0, "NumPy array"),
    ]
    assert [row.size for row in rows] == [1, 2, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["bot.py"], "1 file"),
        (["bot.py", "net.py"], "2 files: 2 Python"),
        (["bot.py", "a.npy", "b"], "3 files: 1 Python, 2 data"),
    ],
)
def test_a_summary_counts_code_and_data(paths, words):
    assert tree.summary(listed(*paths)) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KB"),
        (1025, "1.1 KB"),
        (999 << 10, "999 KB"),
        (1000 << 10, "1 MB"),
        (20 << 20, "20 MB"),
        ((20 << 20) + 1, "20.1 MB"),
    ],
)
def test_sizes_are_rounded_up(size, words):
    assert file_size(size).replace("\u202f", " ") == words


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", ("float32", [2, 3])),
        (b"{'descr': '|b1', 'fortran_order': True, 'shape': (7,)}", ("bool", [7])),
        (b"{'descr': '<U12', 'shape': ()}", ("<U12", [])),
        (b"{'descr': [('x', '<f4')], 'shape': (1,)}", ("[('x', '<f4')]", [1])),
    ],
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_the_head_of_an_array_tells_its_type_and_shape(text, facts, version):
    name, shape = facts
    assert json.loads(arrays.answer(head_of(text, version))) == {"type": name, "shape": shape}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x09\x00\x02\x00{}",
        b"no array",
        head_of(b"{}"),
        head_of(b"[1]"),
        head_of(b"{'descr': '<f4', 'shape': ('x',)}"),
        head_of(b"{'descr': '<f4', 'shape': 3}"),
        head_of(b"__import__('os').abort()"),
        head_of(b"(" * 4000),
    ],
)
def test_what_is_no_head_of_an_array_is_only_data(data):
    assert arrays.answer(data) == b"null"


@pytest.mark.django_db
def test_a_head_that_lies_costs_only_its_child():
    assert file_view.view(ListedFile("a.npy", 1 << 30, "0" * 64)).array == ""


def test_texts_are_compared_until_the_page_has_enough(monkeypatch):
    monkeypatch.setattr(bundle_diff, "MAX_COMPARED", 2)
    old = listed("a.py", "b.py", "c.py", "gone")
    new = [ListedFile(file.path, 2, "other") for file in old[:3]] + listed("new")
    comparison = bundle_diff.compare_files(old, new, lambda file: f"{file.digest}\n")
    assert comparison.summary == "3 files changed, 1 added, 1 removed"
    assert [change.not_compared for change in comparison.changes] == [False, False, True] + [
        False
    ] * 2

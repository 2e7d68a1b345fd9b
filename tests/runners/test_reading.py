"""Reading files that were written to keep a reader busy: in a child, bounded, with a clear no."""

import time
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from threading import Thread

import pytest

from engine.registry import GAMES
from runners import limited_process
from runners.box.manifest import manifest
from runners.faults import message
from runners.upload.check import check
from runners.upload.outline import MAX_EXCERPT
from runners.upload.outline.parsing import MAX_CLASSES, MAX_IMPORTS, MAX_STATEMENTS
from runners.upload.source import outline_own, read_outline

HEAD = "from bots_sdk import Bot\n"


def chain(length):
    """Classes that each inherit from the one before; only the first is a bot."""
    names = [f"a{number}" for number in range(length)]
    pairs = zip(["Bot", *names], names, strict=False)
    lines = "".join(f"class {name}({base}):0\n" for base, name in pairs)
    return f"{HEAD}{lines}def decide(self, view, options): 0\n"


HOSTILE = {
    "a chain of classes": (chain(MAX_CLASSES + 400), "E106", "classes"),
    "statements without end": ("1;" * (120 << 10), "E106", "122,880 statements"),
    "imports without end": ("import os\n" * (MAX_IMPORTS + 1), "E106", "501 imported names"),
    "a format string that takes the square": (f'f"{"{x}" * 80_000}"', "E106", "computing time"),
    "parentheses": ("(" * 200_000, "E101", "too many nested parentheses"),
    "a tower of signs": ("-" * 200_000 + "1", "E101", "nested too deeply"),
    "a sum without end": ("x=" + "a+" * 120_000 + "1", "E101", "nested too deeply"),
    "a number of many digits": ("x=" + "9" * 250_000, "E101", "4300 digits"),
    "a deep default": (
        f"{HEAD}class A(Bot):\n  def decide(self, a={'-' * 900}1): 0\n",
        "E104",
        "a=…",
    ),
    "an import as long as the file": (f"import x.{'a' * 200_000}", "E105", "import x.aaa"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_keeps_a_reader_busy_is_refused_in_bounded_time(name):
    text, code, words = HOSTILE[name]
    own, children = time.process_time(), getrusage(RUSAGE_CHILDREN).ru_utime
    outline = read_outline(text)
    findings = [outline.finding(step) for step in outline.problems]
    told = {finding.code: message(finding.code, **finding.values) for finding in findings}
    assert words in told[code].explanation
    assert all(len(one.explanation) < 2 * MAX_EXCERPT + 200 for one in told.values())
    assert time.process_time() - own < 0.5
    assert getrusage(RUSAGE_CHILDREN).ru_utime - children < limited_process.DEFAULT.cpu_seconds + 1


def test_a_file_that_is_nested_too_deeply_is_told_what_to_change():
    finding = read_outline("-" * 200_000 + "1").finding("syntax")
    assert "Split long expressions" in message(finding.code, **finding.values).fix


def test_a_chain_of_as_many_classes_as_there_may_be_is_a_bot():
    outline = read_outline(chain(MAX_CLASSES))
    assert (outline.name, outline.problems) == (f"a{MAX_CLASSES - 1}", {})


def test_the_work_grows_with_the_file_and_not_faster():
    """Without the cap on classes: what a class costs in a long chain, against a short one."""

    def seconds(length):
        begun = time.process_time()
        outline_own(chain(length))
        return (time.process_time() - begun) / length

    short = min(seconds(100) for _ in range(5))
    assert min(seconds(MAX_CLASSES) for _ in range(3)) < 4 * short


def test_a_file_that_was_read_is_not_read_again():
    text = chain(20) + "# read once\n"
    read_outline(text)
    before = getrusage(RUSAGE_CHILDREN)
    assert read_outline(text).name == "a19"
    assert getrusage(RUSAGE_CHILDREN) == before


def children():
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        # A thread may end while one looks.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update((thread / "children").read_text().split())
    return found


def test_only_so_many_files_are_read_at_the_same_time():
    texts = [f"{'1;' * 30_000}{number}" for number in range(6)]
    threads = [Thread(target=read_outline, args=[text]) for text in texts]
    # Other tests of this process may have left some of their own.
    before = children()
    for thread in threads:
        thread.start()
    most = 0
    while any(thread.is_alive() for thread in threads):
        most = max(most, len(children() - before))
        time.sleep(0.005)
    assert 1 <= most <= limited_process.MAX_CHILDREN


@pytest.mark.parametrize(
    ("line", "limits", "words"),
    [
        pytest.param(
            "pass", limited_process.ChildLimits(cpu_seconds=1), "1 s of computing", id="CPU"
        ),
        pytest.param(
            "data += bytes(1 << 20)",
            limited_process.ChildLimits(memory_mib=64),
            "64 MB of memory",
            id="memory",
        ),
        pytest.param("os.abort()", limited_process.DEFAULT, "Python itself breaks", id="a crash"),
    ],
)
def test_a_child_at_a_limit_is_ended_and_says_which(tmp_path, line, limits, words):
    body = f"import os\ndef answer(data):\n    while True:\n        {line}\n"
    (tmp_path / "hungry.py").write_text(body)
    with pytest.raises(limited_process.TooExpensive, match=words):
        limited_process.run("hungry", b"", folders=[str(tmp_path)], limits=limits)


def test_a_child_that_only_sleeps_is_ended_and_that_is_our_failure(tmp_path):
    (tmp_path / "sleeps.py").write_text("import time\ndef answer(data): time.sleep(60)\n")
    limits = limited_process.ChildLimits(wall_seconds=0.5)
    with pytest.raises(limited_process.InfrastructureError, match="no answer"):
        limited_process.run("sleeps", b"", folders=[str(tmp_path)], limits=limits)


def test_a_child_that_returns_too_much_is_our_failure_and_nothing_of_it_is_read(tmp_path):
    (tmp_path / "floods.py").write_text("def answer(data): return bytes(3 << 20)\n")
    limits = limited_process.ChildLimits(result_mib=2)
    with pytest.raises(limited_process.InfrastructureError, match="File too large"):
        limited_process.run("floods", b"", folders=[str(tmp_path)], limits=limits)
    larger = limited_process.ChildLimits(result_mib=3)
    answer = limited_process.run("floods", b"", folders=[str(tmp_path)], limits=larger)
    assert len(answer) == 3 << 20


@pytest.mark.parametrize("games", ['["\\x00"]', '["\\ud800"]', '("chess",)'])
def test_a_game_that_does_not_exist_is_named_in_letters_that_can_be_stored(games):
    text = f"{HEAD}class A(Bot):\n    games = {games}\n"
    *_, last = check(text.encode(), GAMES["basari"])
    assert (last.name, last.message.code) == ("class", "E107")
    last.message.explanation.encode()
    assert last.message.explanation.isprintable()


def test_a_child_and_this_process_read_the_same():
    for base in manifest().bases:
        text = f"import random\n{HEAD}class A({base}):\n    pass\n"
        assert read_outline(text) == outline_own(text)
    assert read_outline("1;" * MAX_STATEMENTS) == outline_own("1;" * MAX_STATEMENTS)

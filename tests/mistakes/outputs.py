"""What an author sees after each of the ten mistakes, as the documents show it.

The commands are run and the pages asked for; only times, which differ from run to run, and lines
that repeat are replaced by dots.
"""

import re
from html.parser import HTMLParser
from itertools import groupby, takewhile

from tests.bots_sdk.test_cli import karat
from tests.mistakes.index import MISTAKES

HEADING = "## Ten mistakes and what you see"
INTRODUCTION = """\
A small bot for each mistake, saved as `my_bot.py`, and what `karat play`, `karat check` and the
site say to it. Steps of a check that passed without a notice are left out.
"""
FILE = "my_bot.py"
LOOP = re.compile(
    r"(Where it was .*\n  File .*, line) [78](, in choose_action)\n    .*\n(?: +[~^]+\n)?"
)
"""A bot that is stopped in its loop is at one of two lines; the documents show the first."""
STEP = re.compile(r"(ok|failed|not run) ")
SMOKE_MATCH = "Smoke match"
NOTICE = "    Notice:"
PASSED = re.compile(r"ok  \d |Ready to upload")


def play_output(mistake, folder):
    """What `karat play` prints, errors included."""
    return _command_output(folder, mistake, "play", FILE, "--seed", 1)


def check_output(mistake, folder):
    """What `karat check` prints, without the steps that passed."""
    lines = _command_output(folder, mistake, "check", FILE).split("\n")
    following = [*lines[1:], ""]
    return "\n".join(
        line
        for line, after in zip(lines, following, strict=True)
        if not PASSED.match(line) or after.startswith(NOTICE)
    )


def _command_output(folder, mistake, *arguments):
    (folder / FILE).write_text(mistake.source, encoding="utf-8")
    done = karat(*arguments, cwd=folder)
    return normalized(done.stdout + done.stderr)


def normalized(text):
    """The text without times and chance, and one line in place of many equal ones."""
    lines = []
    for line, repeats in groupby(text.strip().split("\n")):
        lines.append(line.rstrip())
        if sum(1 for _ in repeats) > 2:
            lines.append("…")
    text = LOOP.sub(r"\1 7\2\n    while move not in options:\n", "\n".join(lines))
    return re.sub(r"(slowest|took|after) [\d,.]+ (ms|s)\b", r"\1 … \2", text)


class PageText(HTMLParser):
    """The text of a `div` of a page: a line for each block, and those of a `pre` as they are."""

    BLOCKS = frozenset({"p", "li", "h1", "h2", "h3", "pre", "div", "summary", "section", "ol"})

    def __init__(self, element):
        super().__init__()
        self.lines = [""]
        self._element = element
        self._depth = 0
        self._pre = False

    def handle_starttag(self, tag, attrs):
        self._pre = self._pre or tag == "pre"
        if tag == "div" and (self._depth or ("id", self._element) in attrs):
            self._depth += 1
        if tag in self.BLOCKS:
            self.lines.append("")

    def handle_endtag(self, tag):
        self._pre = self._pre and tag != "pre"
        if tag == "div" and self._depth:
            self._depth -= 1
        if tag in self.BLOCKS:
            self.lines.append("")

    def handle_data(self, data):
        if not self._depth:
            return
        if self._pre:
            first, *rest = data.split("\n")
            self.lines[-1] += first
            self.lines += rest
        else:
            space = "" if self.lines[-1].endswith(" ") or not self.lines[-1] else " "
            words = " ".join(data.split())
            lead = space if data[:1].isspace() else ""
            tail = " " if words and data[-1:].isspace() else ""
            self.lines[-1] += f"{lead}{words}{tail}"


def page_text(markup, element):
    """The text of the `div` of this id, without steps, their times and how the match went."""
    parser = PageText(element)
    parser.feed(markup)
    lines = [line.rstrip() for line in parser.lines if line.strip()]
    told = takewhile(lambda line: line != SMOKE_MATCH, lines)
    return normalized("\n".join(line for line in told if not STEP.match(line)))


def section(outputs):
    """The whole section, given for each mistake what play, check and site show."""
    parts = [HEADING, INTRODUCTION]
    for number, mistake in enumerate(MISTAKES, 1):
        parts.append(f"### {number}. {mistake.about.rstrip('.')}")
        parts.append(f"```python\n{mistake.source.strip()}\n```")
        played, checked, shown = outputs[mistake.name]
        parts.append(f"`karat play {FILE} --seed 1`\n\n```text\n{played}\n```")
        parts.append(f"`karat check {FILE}`\n\n```text\n{checked}\n```")
        parts.append(f"On the site\n\n```text\n{shown}\n```")
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"

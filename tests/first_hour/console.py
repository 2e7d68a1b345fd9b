"""The console blocks of the documents: what is typed after `$`, and what is really printed.

`python -m tests.first_hour` runs the blocks of all pages below and writes what was printed into
them. The tests run them again and compare; only what differs from time to time, such as times and
ports, may differ. A python block is the bot's file from there on.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import programs

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/quickstart.md")
BOT_FILE = "my_bot.py"
BLOCK = re.compile(r"(?<=^```)(\w+)\n(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)

_WHEEL = re.compile(r"(?<= @ )file:[^\"]+/(?=karat_league)")
SITE = "https://league.example/sdk/"
"""Stands for the league from which an author installed the SDK."""
_VARYING = (
    (re.compile(r"\d[\d.,]* (ms|s)\b"), r"# \1"),
    (re.compile(r"\([\d,]+ per second\)"), "(# per second)"),
    (re.compile(r"(127\.0\.0\.1):\d+"), r"\1:#"),
    # Every league has an address of its own.
    (re.compile(r"karat-league(\[\w+\])? @ [^\"]+"), r"karat-league\1 @ #"),
    # The columns of a table are as wide as what varies in them.
    (re.compile(r" {2,}"), "  "),
)


@dataclass(frozen=True)
class Shell:
    """Where and as whom commands run."""

    folder: Path
    environment: Mapping[str, str]
    identity: Mapping[str, Any] = field(default_factory=dict)
    """`user` and `group` for `subprocess`, if it is somebody else."""

    def run(self, command: str) -> str:
        """Return what the command prints."""
        words = shlex.split(command)
        if words[:2] == ["karat", "watch"] and "--text" not in words:
            return self._first_line([*words, "--no-browser"])
        ran = subprocess.run(
            [str(shutil.which("bash")), "-o", "pipefail", "-c", command],
            **self._options(),
            capture_output=True,
            check=False,
            timeout=300,
        )
        assert ran.stderr == "", f"{command}\n{ran.stderr}"
        return str(ran.stdout)

    def _first_line(self, words: Sequence[str]) -> str:
        """Return the first line of a command that runs until Ctrl-C."""
        program = [str(self._program(words[0])), *words[1:]]
        with programs.running(program, stdout=subprocess.PIPE, **self._options()) as running:
            line = running.stdout.readline()
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
            assert running.returncode == 0, words
        return str(line)

    def _program(self, name: str) -> Path:
        folders = [Path(folder) for folder in self.environment["PATH"].split(os.pathsep)]
        return next(folder / name for folder in folders if (folder / name).exists())

    def _options(self) -> dict[str, Any]:
        return {"cwd": self.folder, "env": self.environment, "text": True, **self.identity}


def blocks(page: str) -> list[tuple[str, str]]:
    """Return the blocks of a page: the language and the text of each."""
    return BLOCK.findall(page)


def run_page(page: str, shell: Shell) -> Iterator[tuple[str, str, str]]:
    """Yield each command of a page with what it should print and what it prints."""
    for language, text in blocks(page):
        if language == "python":
            (shell.folder / BOT_FILE).write_text(text, encoding="utf-8")
        elif language == "console":
            for command, output in COMMAND.findall(text):
                yield command, output, shell.run(command)


def mask(output: str) -> str:
    """Replace what differs from time to time."""
    for pattern, replacement in _VARYING:
        output = pattern.sub(replacement, output)
    return output.rstrip()


def rewrite(page: str, shell: Shell) -> str:
    """Return the page with what its commands print now; what only varies stays as it was."""
    outputs = iter(list(run_page(page, shell)))

    def printed(match: re.Match[str]) -> str:
        command, before, after = next(outputs)
        unchanged = mask(before) == mask(after)
        output = before if unchanged else f"{_WHEEL.sub(SITE, after).rstrip()}\n"
        return f"$ {command}\n{output}"

    def block(match: re.Match[str]) -> str:
        language, text = match.groups()
        text = COMMAND.sub(printed, text) if language == "console" else text
        return f"{language}\n{text}"

    return BLOCK.sub(block, page)

"""Examples of a page that are run as printed: files, and sessions of a shell.

A fenced block `python` whose first line is a comment with a file name is that file. Lines of a
`console` block that begin with `$` are commands, and what follows is their output. `…` stands for
what differs from run to run, within a line.
"""

import re
import subprocess
from dataclasses import dataclass

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)\n")
_MARK = "@@ end of command"


@dataclass(frozen=True)
class Command:
    """A command and the output that the page shows."""

    text: str
    output: str


def files(page):
    """The files that a page shows, by name."""
    blocks = [text for kind, text in _BLOCK.findall(page) if kind == "python"]
    return {name[1]: text for text in blocks if (name := _FILE.match(text))}


def commands(page):
    """The commands of all sessions of a page, in order."""
    return [
        one for kind, text in _BLOCK.findall(page) if kind == "console" for one in _session(text)
    ]


def _session(text):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        length = 1 + next(n for n, line in enumerate(lines) if not line.endswith("\\"))
        yield Command("\n".join(lines[:length]), "\n".join(lines[length:]))


def run(session, folder, env, seconds):
    """The output of each command, all of them run by one shell."""
    script = "".join(f"{one.text}\necho\necho '{_MARK}'\n" for one in session)
    shell = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return [part.strip("\n") for part in shell.stdout.split(f"{_MARK}\n")[:-1]]


def is_as_shown(output, shown):
    """Whether an output is the one of the page."""
    return re.fullmatch(re.escape(shown).replace("…", ".*"), output) is not None

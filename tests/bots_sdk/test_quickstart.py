"""The quickstart happens as it is printed: every command and all code, in their order."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from tests import programs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_printed_line_is_as_described(tmp_path):
    # The command is the one that stands beside this Python, as in an activated environment.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    for kind, text in BLOCKS:
        if kind == "python":
            (tmp_path / "my_bot.py").write_text(text, encoding="utf-8")
        else:
            assert kind == "console"
            for command, wanted in commands(text):
                shown = printed(command, tmp_path, environment)
                assert re.fullmatch(pattern(wanted), shown.rstrip()), f"{command}\n{shown}"


def test_the_page_shows_the_way_from_a_new_bot_to_its_upload():
    said = [command.split()[:2] for kind, text in BLOCKS for command, _ in commands(text)]
    used = [words[1] for words in said if words[0] == "karat"]
    assert used == "new play watch watch duel arena check push".split()
    assert [kind for kind, _ in BLOCKS].count("python") == 1


def commands(text):
    """The commands of a block, each with what is printed after it."""
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


def pattern(wanted):
    """`…` stands for what differs from time to time; in a line of its own, for any more lines."""
    lines = [re.escape(line).replace("…", ".*") for line in wanted.rstrip().splitlines()]
    return "\n".join(r"[\s\S]*" if line == ".*" else line for line in lines)


def printed(command, folder, environment):
    words = shlex.split(command)
    if words[:2] == ["karat", "watch"] and "--text" not in words:
        return until_ctrl_c([*words, "--no-browser"], folder, environment)
    ran = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.stderr == "", command
    return ran.stdout


def until_ctrl_c(words, folder, environment):
    pipes = {"stdout": subprocess.PIPE, "text": True}
    with programs.running(words, cwd=folder, env=environment, **pipes) as running:
        shown = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
        assert running.returncode == 0
    return shown

"""Bots for boxes, and questions to ask them."""

import os
import shutil
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

from runners.box.launch import Box, gather
from runners.limits import Limits

ROOT = Path(__file__).parents[2]
FIRST = """
from bots_sdk import Bot

class First(Bot):
    def decide(self, view, options):
        return options[0]
"""


def bot(*lines, before=""):
    """A bot whose `decide` has these lines."""
    body = "\n".join(f"        {line}" for line in lines)
    head = f"from bots_sdk import Bot\n{before}\n"
    return f"{head}class Written(Bot):\n    def decide(self, view, options):\n{body}\n"


@contextmanager
def loaded(source, limits=None):
    """A box with this bot in it."""
    box = Box(limits or Limits())
    try:
        box.wait_ready()
        box.send({"source": source, "seed": "7", "file": "bot.py"}, 1000, 4000)
        gather([box])
        yield box
    finally:
        box.close()


def ask(box, number=1, options=("a", "b"), cpu_ms=1000, wall_ms=4000):
    """Ask a question without a game around it."""
    question = {"i": number, "view": {}, "options": list(options), "news": [], "time_left_ms": 9}
    box.send(question, cpu_ms, wall_ms)
    gather([box])
    return box.reply


def answer_of(source, **how):
    """What a bot answers, if it answers."""
    with loaded(source) as box:
        assert box.reply.message == {"loaded": True}, box.reply
        return ask(box, **how)


def copy_clone(folder, *others):
    """Copy what boxes are made by, and say that it is installed."""
    for part in ("engine", "runners", "bots_sdk", *others):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    metadata = folder / "karat_league.dist-info"
    metadata.mkdir()
    for name in ("METADATA", "entry_points.txt"):
        (metadata / name).write_text(distribution("karat-league").read_text(name))


def descriptors():
    return len(os.listdir("/proc/self/fd"))

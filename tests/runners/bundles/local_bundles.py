"""Folders with bots, and matches between them in this process."""

from engine.registry import GAMES
from runners.local import load
from runners.match import play
from runners.seeds import seat_seed

GAME = GAMES["basari"]
HEAD = "from bots_sdk import Bot\n"
FIRST = (
    f"{HEAD}class First(Bot):\n    def decide(self, view, options):\n        return options[0]\n"
)


def write(folder, files):
    """The folder, with these files in it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def bot(*lines, before=""):
    """The entry file of a bot whose `decide` has these lines."""
    body = "\n".join(f"        {line}" for line in lines)
    return f"{HEAD}{before}\nclass Written(Bot):\n    def decide(self, view, options):\n{body}\n"


def match(*sources, seed="7"):
    """A match of these bots in this process."""
    programs = [source if callable(source) else load(source) for source in sources]
    players = [program(seat_seed(seed, seat)) for seat, program in enumerate(programs)]
    return play(GAME, players, seed, recorded=True)


def notes(result, seat):
    """What the bot of a seat noted, in order."""
    texts = []
    for step in result.record["steps"]:
        if "moves" in step and step.get("note"):
            texts.append(step["note"][seat])
        elif step.get("seat") == seat:
            texts.append(step.get("note"))
    return [text for text in texts if text]

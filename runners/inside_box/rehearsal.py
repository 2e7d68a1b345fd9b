"""Play some questions through before there is a bot, so that every box starts with warm code.

An interpreter adapts its code to what it meets, and writes to the pages where the code lies. Done
once in a template, it is done for all boxes, and none of them copies those pages.
"""

import sys

from .answering import answer
from .main import MODULE, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Sdk = Any
    Untrusted = Any

ROUNDS = 20
"""More than the interpreter needs to see before it adapts."""
SOURCE = """from bots_sdk import Bot


class Rehearsing(Bot):
    def decide(self, view, options):
        len(view.news), view["seat"], view.table.gems
        return self.rng.choice(options)
"""
PROGRAM = {"source": SOURCE, "seed": "rehearsal", "file": "rehearsal.py"}
VIEW_AND_NEWS = (
    b'{"seat":0,"decision":"barter","table":{"gems":[[1,2,3,4],[0,1,0,2]],"money":12}}\n'
    b'[{"i":1,"t":"offer","seat":1},{"i":2,"t":"accept","seat":0}]'
)
QUESTIONS = (
    b'{"i":1,"options":["1","2","3"],"time_left_ms":250}\n' + VIEW_AND_NEWS,
    b'{"i":2,"options":{"first":["accept"],"own":[3,2,4,1],"above":[0,1,0,0]},"time_left_ms":250}\n'
    + VIEW_AND_NEWS,
)


def rehearse(sdk: "Sdk", decode: "Callable[[bytes], Untrusted]") -> None:
    """Load a bot of our own and ask it; nothing of it stays behind."""
    for _ in range(ROUNDS):
        bot = load(PROGRAM, sdk)
        for question in QUESTIONS:
            answer(bot, decode(question), PROGRAM)
    sdk.Bot._seed = ""
    del sys.modules[MODULE]

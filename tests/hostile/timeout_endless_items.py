# tries: answer with a mapping whose items never end; verdict: timeout|nothing|raised
from bots_sdk import Bot


class Endless(dict[str, str]):
    def items(self):
        while True:
            yield "move", "x"

    __iter__ = keys = items


class Hostile(Bot):
    def decide(self, view, options):
        return Endless(move=options[0])

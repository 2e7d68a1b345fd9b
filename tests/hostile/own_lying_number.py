# tries: answer with a number that claims to equal every move; verdict: nothing
from bots_sdk import Bot


class Lie(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("normal")


class Hostile(Bot):
    def decide(self, view, options):
        return Lie(0)

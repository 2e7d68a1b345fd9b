# tries: answer with a text that claims to equal every move; verdict: illegal|nothing
from bots_sdk import Bot


class Lie(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return hash("normal")


class Hostile(Bot):
    def decide(self, view, options):
        return Lie("win")

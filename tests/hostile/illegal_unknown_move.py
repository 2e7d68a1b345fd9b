# tries: answer with a move that does not exist; verdict: illegal
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return "win"

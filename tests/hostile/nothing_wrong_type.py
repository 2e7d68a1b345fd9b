# tries: return a number; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return 7

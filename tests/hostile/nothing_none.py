# tries: return None; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return None

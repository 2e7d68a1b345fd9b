# tries: return all moves at once; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return list(options)

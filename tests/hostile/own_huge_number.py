# tries: answer with a number of 100,000 digits; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return 10**100_000

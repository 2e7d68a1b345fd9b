# tries: nothing at all; verdict: ok
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]

# tries: read from the keyboard; verdict: raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return input()

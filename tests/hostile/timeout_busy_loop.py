# tries: loop for ever; verdict: timeout
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            pass

# tries: be a generator that never answers; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            yield options[0]

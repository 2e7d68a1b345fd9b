# tries: call itself for ever; verdict: raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return self.decide(view, options)

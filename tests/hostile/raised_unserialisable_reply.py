# tries: answer with something that is not JSON; verdict: raised|nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return {1, object()}

# tries: answer with half a character; verdict: illegal|raised|protocol
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return "\ud800"

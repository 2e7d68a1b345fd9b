# tries: make an illegal move legal by changing the options; verdict: illegal|raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        options.clear()
        options.append("win")
        return "win"

# tries: answer with a legal move and a megabyte of blanks; verdict: illegal|protocol
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return options[0] + " " * (1 << 20)

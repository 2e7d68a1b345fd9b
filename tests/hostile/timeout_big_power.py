# tries: one C call with a number of 34 million digits; verdict: timeout
from bots_sdk import Bot

BASE = 7


class Hostile(Bot):
    def decide(self, view, options):
        return str(BASE**BASE**9)

# tries: raise an exception while it is loaded; verdict: load
from bots_sdk import Bot

TABLE = {"blue": 1}["red"]


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]

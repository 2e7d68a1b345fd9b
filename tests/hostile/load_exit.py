# tries: leave while it is loaded; verdict: load
import os

from bots_sdk import Bot

os._exit(0)


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]

# tries: end its process; verdict: crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os._exit(0)

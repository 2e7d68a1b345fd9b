# tries: end with the exit status of a forbidden call; verdict: crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os._exit(128 + 31)

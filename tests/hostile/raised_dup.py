# tries: duplicate descriptors until there are none left; verdict: raised
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.dup(1)

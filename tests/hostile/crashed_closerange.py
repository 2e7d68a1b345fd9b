# tries: close every descriptor; verdict: crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.closerange(0, 64)
        return options[0]

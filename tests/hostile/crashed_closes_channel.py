# tries: close descriptor 3; verdict: crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.close(3)
        return options[0]

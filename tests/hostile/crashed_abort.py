# tries: end its process by abort; verdict: crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.abort()

# tries: copy its process by fork; verdict: raised
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.fork()
        return options[0]

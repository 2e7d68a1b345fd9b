# tries: send empty frames for ever; verdict: protocol|timeout
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.write(3, bytes(4096))

# tries: flood descriptor 3 until the league's buffers are full; verdict: protocol|timeout
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.write(3, b"x" * 65536)

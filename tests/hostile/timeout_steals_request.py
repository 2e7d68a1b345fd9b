# tries: read the next request from descriptor 3 itself; verdict: timeout
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.read(3, 65536)

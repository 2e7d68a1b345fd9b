# tries: fill its memory and end like a library that got none; verdict: memory|crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        hoard = []
        try:
            while True:
                hoard.append(b"x" * (1 << 20))
        except MemoryError:
            os.abort()

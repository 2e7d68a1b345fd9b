# tries: flood descriptor 1 with raw writes, past every wrapper; verdict: crashed|raised
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for _ in range(1_000):
            os.write(1, b"x" * 65536)
        return options[0]

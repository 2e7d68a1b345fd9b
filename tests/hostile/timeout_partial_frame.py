# tries: send half a frame and wait; verdict: timeout
import os
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.write(3, b"\x00\x00\x00\x20{")
        time.sleep(3600)

# tries: announce a frame of 4 GB; verdict: protocol
import os
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.write(3, b"\xff\xff\xff\xff{")
        time.sleep(3600)

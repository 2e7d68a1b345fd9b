# tries: rewind the log and write into it again for ever; verdict: timeout|raised|crashed
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.lseek(1, 0, os.SEEK_SET)
            os.write(1, b"x" * 1000)

# tries: loop in system calls only; verdict: timeout
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            os.getppid()

# tries: replace the function that sends its answer; verdict: timeout
import os
import posix
import sys

from bots_sdk import Bot


def swallow(*given):
    return len(given[-1])


class Hostile(Bot):
    def decide(self, view, options):
        posix.write = os.write = swallow
        sys.modules["__main__"].send = swallow
        return options[0]

# tries: answer, and burn the time of the others; verdict: timeout
import posix

from bots_sdk import Bot

WRITE = posix.write


def write_then_burn(descriptor, data):
    WRITE(descriptor, data)
    while True:
        pass


class Hostile(Bot):
    def decide(self, view, options):
        posix.write = write_then_burn
        return options[0]

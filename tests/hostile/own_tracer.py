# tries: trace the code around it and loop there; verdict: timeout|ok
import sys

from bots_sdk import Bot


def loop(*_):
    while True:
        pass


class Hostile(Bot):
    def decide(self, view, options):
        sys.settrace(loop)
        sys.setprofile(loop)
        sys._getframe(1).f_trace = loop
        return options[0]

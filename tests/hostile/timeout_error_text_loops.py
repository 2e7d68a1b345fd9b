# tries: raise an exception whose text never ends; verdict: timeout
from bots_sdk import Bot


def loop(self):
    while True:
        pass


class Endless(Exception):
    __str__ = __repr__ = loop


class Hostile(Bot):
    def decide(self, view, options):
        raise Endless

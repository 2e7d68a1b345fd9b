# tries: end its process between two questions; verdict: crashed
import os

from bots_sdk import Bot


class Leaving:
    def __del__(self):
        os._exit(0)


class Hostile(Bot):
    def decide(self, view, options):
        self.last = Leaving() if getattr(self, "last", None) is None else None
        return options[0]

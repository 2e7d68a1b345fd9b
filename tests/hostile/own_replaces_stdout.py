# tries: replace the standard streams by ones that raise; verdict: ok|raised
import sys

from bots_sdk import Bot


class Broken:
    def __getattr__(self, name):
        raise RuntimeError(name)


class Hostile(Bot):
    def decide(self, view, options):
        for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
            setattr(sys, name, Broken())
        return options[0]

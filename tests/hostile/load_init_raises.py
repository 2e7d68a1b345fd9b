# tries: raise in its constructor; verdict: load
from bots_sdk import Bot


class Hostile(Bot):
    def __init__(self, *args, **kwargs):
        raise RuntimeError("not today")

    def decide(self, view, options):
        return options[0]

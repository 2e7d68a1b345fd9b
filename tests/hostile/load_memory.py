# tries: allocate 10 GB while it is loaded; verdict: load
from bots_sdk import Bot

HOARD = bytearray(10 << 30)


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]

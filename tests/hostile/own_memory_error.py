# tries: raise MemoryError itself; verdict: memory
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        raise MemoryError

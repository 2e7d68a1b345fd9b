# tries: raise an exception with a text of 10 MB; verdict: raised
# limits: decision_cpu_ms 1000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        raise ValueError("x" * 10_000_000)

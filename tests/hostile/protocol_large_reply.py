# tries: answer with 10 MB; verdict: protocol
# limits: decision_cpu_ms 1000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return "x" * 10_000_000

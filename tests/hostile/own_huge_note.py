# tries: attach a note of 10 MB; verdict: ok|raised|protocol
# limits: decision_cpu_ms 1000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        self.note("x" * 10_000_000)
        return options[0]

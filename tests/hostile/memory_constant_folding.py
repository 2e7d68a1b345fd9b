# tries: make the compiler fold a constant of many gigabytes; verdict: memory|load
# limits: decision_cpu_ms 4000, decision_wall_ms 8000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return options[len((1,) * 3_000_000_000 + ("x" * 3_000_000_000,)) * 0]

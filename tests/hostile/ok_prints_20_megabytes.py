# tries: print 20 MB; verdict: notice
# limits: decision_cpu_ms 1000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for _ in range(20):
            print("x" * (1 << 20))
        return options[0]

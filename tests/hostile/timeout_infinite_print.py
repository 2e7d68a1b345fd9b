# tries: print for ever; verdict: timeout
# limits: decision_cpu_ms 200
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            print("x" * 1000)

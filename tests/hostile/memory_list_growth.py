# tries: grow a list for ever; verdict: memory
# limits: decision_cpu_ms 4000, decision_wall_ms 8000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        hoard = []
        while True:
            hoard.append(bytes(1 << 20))

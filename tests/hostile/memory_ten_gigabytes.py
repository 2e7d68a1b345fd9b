# tries: allocate 10 GB at once; verdict: memory
# limits: decision_cpu_ms 4000, decision_wall_ms 8000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return str(len(bytearray(10 << 30)))

# tries: swallow MemoryError and go on; verdict: memory|timeout
# limits: decision_cpu_ms 500
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        hoard = []
        while True:
            try:
                hoard.append(bytes(1 << 20))
            except MemoryError:
                continue

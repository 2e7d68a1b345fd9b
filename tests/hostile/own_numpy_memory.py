# tries: allocate many gigabytes through numpy; verdict: memory
# limits: load_cpu_ms 4000, load_wall_ms 8000, decision_cpu_ms 4000, decision_wall_ms 8000
import importlib

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        np = importlib.import_module("numpy")
        hoard = []
        while True:
            hoard.append(np.ones(1 << 20))

# tries: overflow the stack of its process; verdict: crashed|memory|raised
# limits: decision_cpu_ms 4000, decision_wall_ms 8000
import sys

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        sys.setrecursionlimit(1 << 30)
        chain = []
        for _ in range(200_000):
            chain = [chain]
        return repr(chain)

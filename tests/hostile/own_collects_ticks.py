# tries: be killed by the kernel for ticks it was awake at, without computing; verdict: timeout
# limits: decision_cpu_ms 300, bank_cpu_ms 300, decision_wall_ms 4500
import time

from bots_sdk import Bot

TICK = 4_000_000


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            now = time.monotonic_ns()
            tick = (now // TICK + 1) * TICK
            time.sleep(max(0, tick - now - 250_000) / 1e9)
            while time.monotonic_ns() < tick + 30_000:
                pass

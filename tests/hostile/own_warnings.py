# tries: warn thousands of times; verdict: ok|notice
# limits: decision_cpu_ms 2000, decision_wall_ms 4000, bank_cpu_ms 60000, bank_wall_ms 90000
import warnings

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        warnings.simplefilter("always")
        for number in range(2_000):
            warnings.warn(f"warning {number}", stacklevel=1)
        return options[0]

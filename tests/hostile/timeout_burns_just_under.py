# tries: burn just under the limit in every turn; verdict: timeout
# limits: decision_cpu_ms 300, bank_cpu_ms 400
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        end = time.process_time() + 0.12
        while time.process_time() < end:
            pass
        return options[0]

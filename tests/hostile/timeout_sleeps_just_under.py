# tries: sleep just under the limit in every turn; verdict: timeout
# limits: decision_wall_ms 600, bank_wall_ms 900
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        time.sleep(0.25)
        return options[0]

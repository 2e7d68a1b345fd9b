# tries: change the time of the host; verdict: forbidden
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        time.clock_settime(time.CLOCK_REALTIME, 0)
        return options[0]

# tries: sleep while it is loaded; verdict: load
# limits: load_wall_ms 800
import time

from bots_sdk import Bot

time.sleep(3600)


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]

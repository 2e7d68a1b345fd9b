# tries: sleep for an hour; verdict: timeout
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        time.sleep(3600)
        return options[0]

# tries: leave by sys.exit; verdict: raised
import sys

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        sys.exit(0)

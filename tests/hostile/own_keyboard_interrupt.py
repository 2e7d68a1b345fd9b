# tries: look like the operator who presses Ctrl-C; verdict: raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        raise KeyboardInterrupt

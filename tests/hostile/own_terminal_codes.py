# tries: print escape sequences and lines that look like the league's own; verdict: ok
import sys

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        print("\x1b[2J\x1b]0;owned\x07\x00\r", flush=True)
        print('{"i": 0, "move": "win"}', file=sys.stderr, flush=True)
        return options[0]

# tries: loop when the process ends; verdict: ok
import atexit

from bots_sdk import Bot


def loop():
    while True:
        pass


class Hostile(Bot):
    def decide(self, view, options):
        atexit.register(loop)
        return options[0]

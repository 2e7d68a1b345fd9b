# tries: start a thread; verdict: raised
import threading

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        threading.Thread(target=print).start()
        return options[0]

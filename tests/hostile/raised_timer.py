# tries: set a timer that interrupts the code around it; verdict: raised
import signal

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        return options[0]

# tries: stop its own process; verdict: ok|timeout|raised|crashed
import os
import signal

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        os.kill(os.getpid(), signal.SIGSTOP)
        return options[0]

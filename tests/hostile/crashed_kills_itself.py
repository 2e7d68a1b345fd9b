# tries: send itself SIGKILL, then every other signal, then leave; verdict: crashed
import contextlib
import os
import signal

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV):
            with contextlib.suppress(OSError):
                os.kill(os.getpid(), number)
        os._exit(9)

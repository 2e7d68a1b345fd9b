# tries: ignore every signal, then loop; verdict: timeout
import contextlib
import signal

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for number in range(1, 65):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            pass

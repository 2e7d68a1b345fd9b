# tries: fork for ever and swallow every refusal; verdict: timeout
import contextlib
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            with contextlib.suppress(OSError):
                os.fork()

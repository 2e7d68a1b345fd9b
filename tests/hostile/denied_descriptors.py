# tries: find a descriptor besides 0 to 3; verdict: ok
import contextlib
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        found = []
        for number in range(1024):
            with contextlib.suppress(OSError):
                os.fstat(number)
                found.append(number)
        if found != [0, 1, 2, 3]:
            raise AssertionError(f"escaped: {found}")
        if os.read(0, 1):
            raise AssertionError("escaped: standard input has something to say")
        return options[0]

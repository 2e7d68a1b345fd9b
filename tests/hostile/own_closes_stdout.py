# tries: close the standard streams, then print and open a file in their place; verdict: ok|raised
import contextlib
import os

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        with contextlib.suppress(OSError):
            os.close(1)
            os.close(2)
        print("x", flush=True)
        os.open(os.__file__, os.O_RDONLY)
        print("x", flush=True)
        return options[0]

# tries: climb out of its root; verdict: ok
import os

from bots_sdk import Bot

KNOWN = {"py", "lib", "lib64", "karat", "bot", "bundles", "empty"}


class Hostile(Bot):
    def decide(self, view, options):
        try:
            here = os.open("/", os.O_RDONLY)
            above = os.open("../../../..", os.O_RDONLY, dir_fd=here)
        except PermissionError:
            return options[0]
        strange = set(os.listdir(above)) - KNOWN
        os.close(here)
        os.close(above)
        if strange:
            raise AssertionError(f"escaped: {sorted(strange)}")
        return options[0]

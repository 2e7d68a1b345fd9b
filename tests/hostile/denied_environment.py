# tries: find the host's environment and arguments; verdict: ok
import os
import sys

from bots_sdk import Bot

HARMLESS = ("PYTHON", "OPENBLAS", "OMP", "LC_CTYPE", "LANG", "PATH", "PWD", "TZ", "LD_LIBRARY_PATH")


class Hostile(Bot):
    def decide(self, view, options):
        loose = {name for name in os.environ if not name.startswith(HARMLESS)}
        if loose:
            raise AssertionError(f"escaped: {sorted(loose)}")
        if any(word in " ".join(sys.argv) for word in ("seed", "token", "secret")):
            raise AssertionError("escaped: arguments")
        if os.getuid() == 0 or os.geteuid() == 0:
            raise AssertionError("escaped: it is root")
        return options[0]

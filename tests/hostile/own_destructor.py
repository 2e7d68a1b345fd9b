# tries: loop when its objects die at the end of the process; verdict: ok
import builtins

from bots_sdk import Bot


class Clinging:
    def __del__(self):
        while True:
            pass


class Hostile(Bot):
    def decide(self, view, options):
        if not hasattr(builtins, "kept"):
            builtins.kept = Clinging()
        return options[0]

# tries: answer every later import of the code around it; verdict: ok|raised|crashed|protocol
import sys

from bots_sdk import Bot


class Hook:
    def find_spec(self, name, path=None, target=None):
        raise RuntimeError(name)

    def __getattr__(self, name):
        raise RuntimeError(name)


class Hostile(Bot):
    def decide(self, view, options):
        sys.meta_path.insert(0, Hook())
        for name in ("json", "struct", "engine.barter.offers", "traceback", "linecache"):
            sys.modules[name] = Hook()
        return options[0]

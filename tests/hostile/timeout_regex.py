# tries: a catastrophic regular expression, one C call that never looks at signals; verdict: timeout
import re

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return re.match(r"(a+)+$", "a" * 64 + "b") or options[0]

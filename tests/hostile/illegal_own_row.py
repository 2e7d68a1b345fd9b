# tries: draw from its own row, which the rules forbid; verdict: illegal
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        if options[0].startswith("draw"):
            return f"draw {view.seat}.1"
        return options[0]

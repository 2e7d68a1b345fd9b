# tries: fail softly twice and then behave; verdict: illegal
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        self.asked = getattr(self, "asked", 0) + 1
        return "win" if self.asked <= 2 else options[0]

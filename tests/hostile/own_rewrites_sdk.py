# tries: change the class that all bots inherit from; verdict: ok|raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        Bot.decide = Bot.__init__ = Bot.note = None
        return options[0]

"""The bot that the boxed matches of the bench are played with: any legal move."""

from bots_sdk import Bot


class AnyMove(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)

"""Write a bot for Tidepool: one method for its one decision. Runs inside the box."""

from bots_sdk.bot import Bot


class TidepoolBot(Bot):
    """Bids its lowest card unless you say otherwise."""

    games = ("tidepool",)

    def bid(self, view, hand):
        """Return the card to bid."""
        return hand[0]

    def decide(self, view, options):
        """Ask the one question there is."""
        return self.bid(view, options)

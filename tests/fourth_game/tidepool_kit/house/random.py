"""Random bids any card it holds."""

from tidepool_kit import TidepoolBot


class Random(TidepoolBot):
    def bid(self, view, hand):
        return self.rng.choice(hand)

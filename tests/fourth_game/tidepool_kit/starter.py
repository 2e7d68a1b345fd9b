"""MyBot plays Tidepool. It bids at random; bid high for large shells and see if it helps."""

from tidepool_kit import TidepoolBot


class MyBot(TidepoolBot):
    def bid(self, view, hand):
        return self.rng.choice(hand)

"""Random closes its eyes and points: every legal move is as likely as any other."""

from collections.abc import Sequence

from bots_sdk import Bot, View


class Random(Bot):
    """Any legal move. Whoever loses to it has a bug."""

    games = ("basari",)

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Pick one of the options by its number: a hand may have thousands of offers."""
        return options[self.rng.randrange(len(options))]

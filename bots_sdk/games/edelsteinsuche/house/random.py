"""Random: any legal move, all equally likely.

The bot to beat first, and the shortest file that can be uploaded: `options` holds every legal move,
so whatever is picked from it is legal. `self.rng` is seeded for each match and seat; a bot that
takes its chance from there plays the same moves whenever the match is played again.
"""

from collections.abc import Sequence

from bots_sdk import Bot, View


class Random(Bot):
    """Plays without looking."""

    games = ("edelsteinsuche",)

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Pick one of the options."""
        return options[self.rng.randrange(len(options))]

"""MyBot plays GAME_NAME. It plays at random; have a look at what it sees, and improve it."""

from collections.abc import Sequence

from bots_sdk import Bot, View


class MyBot(Bot):
    """A bot with one method for all decisions."""

    games = ("game-slug",)

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Return one of the legal moves.

        `view.decision` says what is decided and `view.seats` what everybody has; `print(view)`
        shows all of it. A note is attached to the move and shown in the replay.
        """
        self.note(f"{view.decision}: {len(options)} options")
        return self.rng.choice(options)

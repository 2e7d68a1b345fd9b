"""MyBot plays GAME_NAME. It reads what it likes from a data file; teach it better taste."""

from collections.abc import Sequence

from bots_sdk import Bot, View

from .preferences import Preferences


class MyBot(Bot):
    """A bot with files: a second module, and data that it loads once per match."""

    games = ("game-slug",)

    def __init__(self) -> None:
        """Read the data file; `self.data_path` is the folder it lies in."""
        with self.open_data("preferences.json") as file:
            self.preferences = Preferences.read(file)

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Return one of the legal moves: `print(view)` shows what there is to look at."""
        move = self.preferences.choose(options, self.rng)
        self.note(f"{view.decision}: {self.preferences.value(move):g} for {move}")
        return move

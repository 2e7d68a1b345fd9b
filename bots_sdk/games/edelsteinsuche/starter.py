"""MyBot plays Edelsteinsuche. It draws at random; uncomment an idea and see if it helps."""

from collections.abc import Sequence

from bots_sdk.games.edelsteinsuche import Draw, EdelsteinsucheBot, EdelsteinsucheView as View


class MyBot(EdelsteinsucheBot):
    """What is not decided here, EdelsteinsucheBot decides with a modest default."""

    def draw(self, view: View, options: Sequence[str]) -> str:
        """Choose a card: `draw 2.4` takes the one in slot 4 of row 2."""
        # Idea 1: draw a gem of your own whose place you know.
        # known = view.known[view.seat]
        # cards = {move: Draw.parse(move).find(known) or "?" for move in options}
        # gems = [move for move in options if cards[move].startswith(view.me.type)]
        # options = gems or options
        move = self.rng.choice(options)
        self.note(f"a card of row {Draw.parse(move).row}")
        return move

    # Idea 2: play the unique move, three exchanges in a row, at once.
    # def start_turn(self, view: View, options: Sequence[str]) -> str:
    #     return "unique"

    # Idea 3: in a unique move, stop after the first exchange and keep your secrets.
    # def more(self, view: View, options: Sequence[str]) -> str:
    #     return "stop"

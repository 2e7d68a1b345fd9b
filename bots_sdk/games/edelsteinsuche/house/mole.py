"""Mole: digs where nobody sits, and comes up at the very end.

The cards of an avatar row are seen by nobody, so what the mole leaves there is its own secret;
in a neighbour's row the owner would look at it. With four seats there are no avatar rows, and the
mole digs anywhere. All else is what the base class does: it keeps the unique move until
that is sure to win, which is late, and sometimes too late.
"""

from collections.abc import Sequence

from bots_sdk.games.edelsteinsuche import Draw, EdelsteinsucheBot, EdelsteinsucheView


class Mole(EdelsteinsucheBot):
    """Patient, secretive, and easily overtaken."""

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Draw a gem of its own, or else an unknown card: of an avatar row, if there is one."""
        known = view.known[view.seat]
        cards = {move: Draw.parse(move).find(known) for move in options}
        gems = [move for move, card in cards.items() if card and card[0] == view.me.type]
        unknown = [move for move, card in cards.items() if card is None]
        secret = [move for move in unknown if Draw.parse(move).row >= len(view.seats)]
        return self.rng.choice(gems or secret or unknown or options)

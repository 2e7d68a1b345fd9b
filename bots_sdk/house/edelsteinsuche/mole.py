"""Mole: digs where nobody sits, and comes up at the very end.

The cards of an avatar row are seen by nobody, so what the mole leaves there is its own secret;
in a neighbour's row the owner would look at it. With four seats there are no avatar rows, and the
mole digs from the last row on. All else is what the base class does: it keeps the unique move until
that is sure to win, which is late, and sometimes too late.
"""

from collections.abc import Sequence

from bots_sdk.edelsteinsuche import EdelsteinsucheBot, EdelsteinsucheView


class Mole(EdelsteinsucheBot):
    """Patient, secretive, and easily overtaken."""

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """A gem of its own, or else the last unknown card: avatar rows come after the seats'."""
        known = view.known[view.seat]
        unknown = []
        for move in options:
            card = known[int(move[5])][int(move[7]) - 1]
            if card is None:
                unknown.append(move)
            elif card[0] == view.me.type:
                return move
        return unknown[-1] if unknown else options[0]

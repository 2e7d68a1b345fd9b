"""Magpie: whatever glitters is hers, at once.

She never forgets a gem she has seen, because the base class draws every gem of her type that it
knows of, and sends those in her own row away to be drawn back. Two things are her own: she cannot
wait, and plays the unique move in her very first turn; and she would rather steal from a neighbour
than dig where nobody sits.
"""

from collections.abc import Sequence

from bots_sdk.games.edelsteinsuche import Draw, EdelsteinsucheBot, EdelsteinsucheView, Move


class Magpie(EdelsteinsucheBot):
    """Quick, thieving, and soon without a surprise."""

    def start_turn(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Play the unique move: why wait?"""
        return "unique"

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> Move:
        """Draw a gem of hers, or else an unknown card of the seat that has found most."""
        known = view.known[view.seat]
        cards = {draw: draw.find(known) for draw in map(Draw.parse, options)}
        if any(card and card[0] == view.me.type for card in cards.values()):
            return super().draw(view, options)
        missing = {seat: view.seats[seat].missing for seat in view.others}
        loot = [draw for draw, card in cards.items() if card is None and draw.row in missing]
        if not loot:
            return super().draw(view, options)
        return self.choose_best(loot, lambda draw: -missing[draw.row])

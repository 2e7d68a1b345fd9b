"""Hedwig: the retired surveyor. Keeps a perfect map and never digs twice in the same place.

She plays by four rules of thumb:

1. Draw a gem of her own type wherever she knows one. Best is one whose slot in her own row holds
   another gem of hers: showing the first pushes the second out, where it can be drawn next.
2. Knowing of none, turn over an unknown card, in the row that still hides most.
3. A card that is no use pushes a gem of her own out of her row, first of all one that lies in the
   slot of its own number: it is the only one that no other gem can push out.
4. Keep the unique move until three gems can be shown in a row, or until somebody is about to win.

The view does the mapping: `view.known[seat]` holds every card a seat has seen, wherever it went.
"""

from collections.abc import Sequence

from bots_sdk.games.edelsteinsuche import (
    Draw,
    EdelsteinsucheBot,
    EdelsteinsuchePlaceView,
    EdelsteinsucheView,
    Hide,
    Move,
)

NEARLY_THERE = 2
"""With so few gems missing, a seat is about to win."""


class Hedwig(EdelsteinsucheBot):
    """Shows what she has mapped, and lets no exchange go to waste."""

    def start_turn(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Follow rule 4."""
        rows = view.known[view.seat]
        in_reach = sum(
            card is not None and card[0] == view.me.type
            for row in range(4)
            if row != view.seat
            for card in rows[row]
        )
        hurry = any(seat.missing <= NEARLY_THERE for seat in view.seats)
        return "unique" if hurry or in_reach >= 3 else "normal"

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> Move:
        """Follow rules 1 and 2."""
        draws = [Draw.parse(move) for move in options]
        cards = {draw: draw.find(view.known[view.seat]) for draw in draws}
        # The slot in her row on which each of her gems can be shown.
        gems = {
            draw: int(card[1]) for draw, card in cards.items() if card and card[0] == view.me.type
        }
        if gems:
            return self.choose_best(gems, lambda draw: self.worth_pushing_out(view, gems[draw]) > 0)
        unknown = [draw for draw, card in cards.items() if card is None]
        rows = [draw.row for draw in unknown]
        return self.choose_best(unknown or draws, lambda draw: rows.count(draw.row))

    def place(self, view: EdelsteinsuchePlaceView, options: Sequence[str]) -> str:
        """Show what can be shown; otherwise rule 3."""
        if options[0] == "show":
            return "show"
        slots = {move: Hide.parse(move).slot for move in options}
        return self.choose_best(options, lambda move: self.worth_pushing_out(view, slots[move]))

    @staticmethod
    def worth_pushing_out(view: EdelsteinsucheView, slot: int) -> int:
        """Return 0 for a card of another type in this slot of her row, 2 for a gem in place."""
        card = Hide(slot).find(view.known[view.seat][view.seat]) or ""
        return card.startswith(view.me.type) + (card == f"{view.me.type}{slot}")

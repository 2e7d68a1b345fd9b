"""Greedy: takes what pays most now.

A gem of its own type whose place it knows is drawn and shown; otherwise it turns over any card it
does not know. What it cannot show it hides in its first free slot, without asking what is
pushed out. That is its weakness: gems of its own type that lie in its own row stay there for long.
"""

from collections.abc import Sequence

from bots_sdk.games.edelsteinsuche import (
    Draw,
    EdelsteinsucheBot,
    EdelsteinsuchePlaceView,
    EdelsteinsucheView,
)


class Greedy(EdelsteinsucheBot):
    """Shows what it can and never plans."""

    def start_turn(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Play the unique move first: three exchanges pay more than one."""
        return "unique"

    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Draw a gem of its own type, or else a card not seen before."""
        known = view.known[view.seat]
        cards = {move: Draw.parse(move).find(known) for move in options}
        gems = [move for move, card in cards.items() if card and card[0] == view.me.type]
        unknown = [move for move, card in cards.items() if card is None]
        return self.rng.choice(gems or unknown or options)

    def place(self, view: EdelsteinsuchePlaceView, options: Sequence[str]) -> str:
        """Show it if that is allowed: then this is the first option. Otherwise the first slot."""
        return options[0]

    def more(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        """Go on as long as possible."""
        return "continue"

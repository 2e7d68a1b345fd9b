"""What somebody sees of the twenty places, kept up to date from one look to the next.

Views are copies of it: whoever gets one may change it.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from engine.games.edelsteinsuche.cards import CARDS, SERIES
from engine.seats import Seat

Card = str | None
Glimpse = tuple[Card | bool, ...]


class Sight:
    """The places as one seat sees them; without a seat, all that the cards tell."""

    __slots__ = ("_glimpses", "_rows", "slots", "tables")

    def __init__(
        self,
        n: int,
        seat: Seat | None,
        cards: Sequence[Card],
        knowers: Iterable[int],
        up: Iterable[bool],
    ) -> None:
        self._glimpses = _glimpses(n, seat)
        places = [self._glimpses[card][bits] for card, bits in zip(cards, knowers, strict=True)]
        visible, *columns = zip(*places, strict=True)
        self.slots = [{"card": card, "up": is_up} for card, is_up in zip(visible, up, strict=True)]
        """The visible card of each place, and whether it lies face up."""
        self.tables = [
            [list(column[at : at + SERIES]) for at in range(0, len(column), SERIES)]
            for column in columns
        ]
        """For each seat the visible cards it knows; then for each seat whether it knows the place.
        All of them by rows, as views have them.
        """
        self._rows = [*zip(*self.tables, strict=True)]
        """The same lists, for each row those of all tables."""

    def update(self, place: int, card: str, knowers: int, is_up: bool) -> None:
        """Look at a place again, where another card lies now."""
        visible, *values = self._glimpses[card][knowers]
        self.slots[place] = {"card": visible, "up": is_up}
        at = place % SERIES
        for row, value in zip(self._rows[place // SERIES], values, strict=True):
            row[at] = value


@cache
def _glimpses(n: int, seat: Seat | None) -> dict[Card, list[Glimpse]]:
    """Return what is seen of every card, by the set of its knowers: values for the tables."""
    return {
        card: [_glimpse(n, seat, card, knowers) for knowers in range(1 << n)]
        for card in (None, *CARDS)
    }


def _glimpse(n: int, seat: Seat | None, card: Card, knowers: int) -> Glimpse:
    knows = [knowers >> one & 1 > 0 for one in range(n)]
    visible = card if seat is None or knows[seat] else None
    return visible, *(visible if one else None for one in knows), *knows

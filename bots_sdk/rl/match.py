"""A match as agents play it: one seat acts at a time, action by action.

Seats that choose at the same time are asked one after the other; nothing of their choices can be
seen until all have chosen. The environments are made of this.
"""

from collections.abc import Mapping

import numpy as np

from bots_sdk.rl.discovery import find_encoding
from bots_sdk.rl.encoding import Encoding
from bots_sdk.rl.legal import PartialMove
from engine.game import Json, Seat
from engine.registry import find
from engine.rng import Rng
from runners.news import News


class Match:
    """Matches of one game at a number of seats, one after the other."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, Json] | None = None,
        *,
        encoding: Encoding | None = None,
        news: bool = False,
    ) -> None:
        """Deal a first match. With `news`, what happens is kept for bots that read it."""
        self.game = find(game)
        self.options = self.game.resolve_options(seats, options)
        self.seats = seats
        self.encoding = encoding or find_encoding(game)
        self._with_news = news
        self._no_mask = bytes(len(self.encoding.actions))
        self._chance = np.random.default_rng()
        self.begin()

    def begin(self, seed: int | None = None) -> None:
        """Deal a new match: with a seed always the same, without one the next by chance."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.seed = str(self._chance.integers(1 << 62))
        """Of this match, as its record would have it."""
        self._rng = Rng(self.seed)
        self.news = News() if self._with_news else None
        self.position: object = self.game.start(self.seats, self.options, self._rng, self.news)
        self._features: dict[Seat, bytes] = {}
        """What seats see, until the game goes on: a half-said move changes nothing of it."""
        self._begin_decision()

    def _begin_decision(self) -> None:
        """Turn to the first seat that is asked, unless the match is over."""
        self._asked = self.game.to_move(self.position)
        self._moves: list[str] = []
        """Of the seats asked now, in their order, as far as they have chosen."""
        self.is_over = not self._asked
        if self._asked:
            self._turn_to_next_seat()

    def _turn_to_next_seat(self) -> None:
        self.seat: Seat = self._asked[len(self._moves)]
        """Who acts; after the match, who acted last."""
        options = self.game.options(self.position, self.seat)
        self.partial = PartialMove(self.encoding, options, self.seat, self.seats)

    def act(self, action: int | None) -> None:
        """Say the next part of a move; once all seats asked have moved, the game goes on."""
        move = self.partial.say(action)
        if move is None:
            return
        self._moves.append(move)
        if len(self._moves) < len(self._asked):
            self._turn_to_next_seat()
            return
        self.game.play(self.position, self._moves, self._rng, self.news)
        self._features.clear()
        self._begin_decision()

    def observe(self, seat: Seat) -> tuple[bytes, bytes]:
        """Return what a seat sees as 32-bit floats, and a byte for each action, 1 if it may act so.

        Only the seat that acts knows its half-said move, and only that one may act.
        """
        features = self._features.get(seat)
        if features is None:
            features = self.encoding.encode_position(self.game, self.position, seat)
            self._features[seat] = features
        if seat != self.seat or self.is_over:
            return self.encoding.encode_prefix(()) + features, self._no_mask
        partial = self.partial
        return self.encoding.encode_prefix(partial.prefix) + features, partial.legal.mask

    @property
    def size(self) -> int:
        """How many numbers a seat sees."""
        numbers, _ = self.observe(0)
        return len(numbers) // np.float32().itemsize

    def rewards(self) -> list[float]:
        """Return places from 1 for the first to -1 for the last; those who share one share it."""
        outcome = self.game.outcome(self.position)
        assert outcome is not None
        places = outcome.placements
        shared = [place + (places.count(place) - 1) / 2 for place in places]
        return [1.0 - 2.0 * (place - 1) / (self.seats - 1) for place in shared]

"""Who sits at a table: a player is asked a question and answers with a move."""

from typing import Protocol

from engine.game import Game, Options, Seat, View
from engine.rng import Rng


class Question:
    """A decision of a seat. The view is built only if the player looks at it."""

    __slots__ = ("_state", "game", "seat")

    def __init__(self, game: Game, state: object, seat: Seat) -> None:
        self.game = game
        self.seat = seat
        self._state = state

    @property
    def options(self) -> Options:
        """The legal moves."""
        return self.game.options(self._state, self.seat)

    @property
    def view(self) -> View:
        """What the seat may see."""
        return self.game.view(self._state, self.seat)

    def illegal_reason(self, move: str) -> str | None:
        """Return why the seat may not make this move; None if it may."""
        return self.game.illegal_reason(self._state, self.seat, move)

    @property
    def fallback(self) -> str:
        """The move that would be played for a seat that failed."""
        return self.game.fallback(self._state, self.seat)


class Player(Protocol):
    """Somebody or something that plays one seat of one match."""

    def decide(self, question: Question) -> str:
        """Return the move of this seat."""
        ...


class RandomPlayer:
    """Any legal move, all equally likely."""

    def __init__(self, seed: str) -> None:
        self._rng = Rng(seed)

    def decide(self, question: Question) -> str:
        """Return the move of this seat."""
        options = question.options
        return options[self._rng.below(len(options))]


class FallbackPlayer:
    """What the league plays for a seat that failed."""

    def __init__(self, seed: str) -> None:
        """Ignore the seed, which every player is made from: it needs no chance."""

    def decide(self, question: Question) -> str:
        """Return the move of this seat."""
        return question.fallback

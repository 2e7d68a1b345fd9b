"""A method for every decision: what the base classes of the games share. Runs inside the box."""

from bots_sdk.bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from _typeshed import SupportsRichComparison

    from bots_sdk.bot import View

    M = TypeVar("M")
    """A move, as text or as a value."""


class GameBot(Bot):
    """Calls the method for each decision. Inherit from the class of your game instead."""

    methods: "Mapping[str, str]"
    """The name of the method for each decision."""

    move_values: "tuple[type, ...]" = ()
    """The classes of moves as values, such as `Offer`: a method may return one for its text."""

    def decide(self, view: "View", options: "Sequence[str]") -> str:
        """Return the move of the method for `view.decision`, as text."""
        move: str = getattr(self, self.methods[view["decision"]])(view, options)
        # Whatever else a bot returns is judged as it is.
        return str(move) if isinstance(move, self.move_values) else move

    def choose_best(
        self, moves: "Iterable[M]", worth: "Callable[[M], SupportsRichComparison]"
    ) -> "M":
        """Return one of the moves that are worth most, all equally likely.

        `max` would take the first of them, and options are sorted by seats and rows: a bot that
        always takes the first plays better at some seats than at others.
        """
        values = [(worth(move), move) for move in moves]
        best = max(value for value, _ in values)
        return self.rng.choice([move for value, move in values if value == best])

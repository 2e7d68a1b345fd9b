"""A method for every decision: what the base classes of the games share. Runs inside the box."""

from bots_sdk.bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from _typeshed import SupportsRichComparison

    from bots_sdk.bot import View


class GameBot(Bot):
    """Calls the method for each decision. Inherit from the class of your game instead."""

    methods: "Mapping[str, str]"
    """The name of the method for each decision."""

    def decide(self, view: "View", options: "Sequence[str]") -> str:
        """Return the move of the method for `view.decision`."""
        move: str = getattr(self, self.methods[view["decision"]])(view, options)
        return move

    def choose_best(
        self, moves: "Iterable[str]", worth: "Callable[[str], SupportsRichComparison]"
    ) -> str:
        """Return one of the moves that are worth most, all equally likely.

        `max` would take the first of them, and options are sorted by seats and rows: a bot that
        always takes the first plays better at some seats than at others.
        """
        values = [(worth(move), move) for move in moves]
        best = max(value for value, _ in values)
        return self.rng.choice([move for value, move in values if value == best])

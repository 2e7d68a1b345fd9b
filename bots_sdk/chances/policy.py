"""How all seats go on when a position is played out: quick, fixed, and the same for everybody."""

from typing import Generic, TypeVar

from engine.game import Game, Options, Seat
from engine.rng import Rng

S = TypeVar("S")


class Policy(Generic[S]):
    """The default works for every game: any legal move is as likely as any other.

    A kit may do better with a file `playouts.py` that holds a `POLICY`. It sees whole positions,
    because it plays for the spectators; chance comes from `rng` alone.
    """

    name = "random moves"
    """What plays, as the end of "games played out by"."""

    def shuffle(self, state: S, rng: Rng) -> None:
        """Shuffle what nobody has seen yet. By default everything stays where it is."""

    def moves(self, game: Game[S], state: S, rng: Rng) -> list[str]:
        """Return a move for every seat that is asked."""
        return [self.any_move(game.options(state, seat), rng) for seat in game.to_move(state)]

    @staticmethod
    def any_move(options: Options, rng: Rng) -> str:
        """Return one of these moves."""
        return options[rng.below(len(options))]


def with_forfeits(
    game: Game[S], state: S, moves: list[str], forfeits: frozenset[Seat]
) -> list[str]:
    """Return the moves, with the fallback of the game for seats that have forfeited."""
    return [
        game.fallback(state, seat) if seat in forfeits else move
        for seat, move in zip(game.to_move(state), moves, strict=True)
    ]

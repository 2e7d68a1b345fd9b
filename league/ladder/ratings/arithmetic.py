"""Which version of the arithmetic rates which part of a ledger. It is an entry of the ledger."""

from league.ladder.models import ArithmeticChange
from league.ladder.ratings.ledger import ARITHMETICS, CURRENT_ARITHMETIC, FIRST_ARITHMETIC


class UnknownArithmetic(Exception):
    """A later version of the league wrote this ledger."""


def begin_current(game: str, rated: int) -> int:
    """Let matches after the position `rated` be rated by the current version, and return it.

    The caller holds the row of the ladder. Only the first call of a version writes something.
    """
    latest = max((arithmetic for _, arithmetic in changes(game)), default=FIRST_ARITHMETIC)
    if latest < CURRENT_ARITHMETIC:
        ArithmeticChange.objects.create(
            ladder_id=game, arithmetic=CURRENT_ARITHMETIC, after_no=rated
        )
    return CURRENT_ARITHMETIC


def changes(game: str) -> list[tuple[int, int]]:
    """Return the last positions before each version began, and the versions, in their order."""
    entries = ArithmeticChange.objects.filter(ladder=game).order_by("after_no", "arithmetic")
    versions = list(entries.values_list("after_no", "arithmetic"))
    for _, arithmetic in versions:
        if arithmetic not in ARITHMETICS:
            raise UnknownArithmetic(
                f"the ledger of {game} uses arithmetic {arithmetic}, which this version of the "
                "league does not know"
            )
    return versions


class Versions:
    """The version of the arithmetic at each position, read in the order of the ledger."""

    def __init__(self, game: str) -> None:
        self._current = FIRST_ARITHMETIC
        self._later = changes(game)[::-1]

    def at(self, position: int) -> int:
        """Return the version that rates the match at this position."""
        while self._later and self._later[-1][0] < position:
            _, self._current = self._later.pop()
        return self._current

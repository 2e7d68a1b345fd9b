"""Compare two bots by paired deals, with a test that may be looked at all the time.

Both play the same deals: the same seed, the same opponents, the same seat. What counts of a deal is
who finished on the better place; deals that ended alike say nothing about who is better. If the two
are equal, each of the other deals is a fair coin, whatever the game, the opponents and the luck.

The test spends an error of 5 % in two parts, fixed before the first deal:

- 1 % on looking early. A wager against the fair coin is kept (a beta mixture of coins, bent towards
  the middle); its stake grows a hundredfold with probability 1 % at most, however often one looks.
  When it does, the duel ends.
- 4 % on the last deal: there the deals won and lost are held against the fair coin exactly.

So equal bots are called different in at most 5 of 100 duels, and no normal curve is assumed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp, fsum, lgamma, log, log1p

from bots_sdk.local.matches import Seating

EARLY_ERROR = 0.01
"""The error allowed to all looks before the last deal together."""
FINAL_ERROR = 0.04
"""The error allowed to the last deal."""
BENDS = 1.0, 20.0
"""The mixture of coins is half Beta(1, 1), for bots that are worlds apart, and half Beta(20, 20),
for versions of a bot that win 35 to 65 % of the deals."""
MIN_DEALS = 20
"""The fewest deals that are played: an answer is worth more with a useful interval."""


class Verdict(StrEnum):
    """What can be said of the first bot, compared with the second."""

    STRONGER = "stronger"
    WEAKER = "weaker"
    ALIKE = "no difference"
    OPEN = "still running"
    INVALID = "invalid"


def pairs(seed: str, deals: int, seats: int, opponents: int) -> list[tuple[Seating, Seating]]:
    """Plan each deal for both bots, numbers 0 and 1; their opponents have the numbers after.

    The seat they take goes round the table, and when it has, the opponents move on by one.
    """
    plan = []
    for number in range(deals):
        others = [2 + (number // seats + place) % opponents for place in range(seats - 1)]
        seat = number % seats
        first, second = (
            Seating((*others[:seat], bot, *others[seat:]), f"{seed}-{number + 1}") for bot in (0, 1)
        )
        plan.append((first, second))
    return plan


@dataclass(frozen=True, slots=True)
class Duel:
    """The deals so far, seen from the first bot; `most` was fixed beforehand."""

    most: int
    won: int = 0
    same: int = 0
    lost: int = 0
    faulty: tuple[int, int] = (0, 0)
    """In how many deals each of the two committed a fault."""

    def add(self, place: int, other: int, faulty: tuple[bool, bool] = (False, False)) -> "Duel":
        """Return the duel after one more deal, with the places that the two bots took."""
        return replace(
            self,
            won=self.won + (place < other),
            same=self.same + (place == other),
            lost=self.lost + (place > other),
            faulty=(self.faulty[0] + faulty[0], self.faulty[1] + faulty[1]),
        )

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.won + self.same + self.lost

    @property
    def share(self) -> float:
        """The share of deals in which it finished better, those that ended alike as halves."""
        return (self.won + self.same / 2) / self.deals if self.deals else 0.5

    @property
    def evidence(self) -> float:
        """How far the wager has come towards ending the duel, from 0 to 1."""
        return min(1.0, max(0.0, _log_wager(self.won, self.lost, 0.5) / log(1 / EARLY_ERROR)))

    @property
    def decided(self) -> bool:
        """Whether the duel is over: the last deal is played, or looking early was enough."""
        return self.deals >= self.most or self._decided_early()

    def _decided_early(self) -> bool:
        return self.deals >= MIN_DEALS and _wager_won(self.won, self.lost, 0.5)

    def verdict(self) -> Verdict:
        """Return what can be said. A bot that committed faults was not measured."""
        if any(self.faulty):
            return Verdict.INVALID
        if not self.decided:
            return Verdict.OPEN
        less, more = sorted((self.won, self.lost))
        if not self._decided_early() and not _too_unlikely(less, more, 0.5):
            return Verdict.ALIKE
        return Verdict.STRONGER if self.won > self.lost else Verdict.WEAKER

    def interval(self) -> tuple[float, float]:
        """Return the limits of the true share, with 95 % certainty over the whole duel.

        It leaves 50 % out exactly when the verdict says stronger or weaker.
        """
        if not self.deals:
            return 0.0, 1.0
        looked_early = self._decided_early() or self.deals < self.most
        refuted = _wager_won if looked_early else _too_unlikely
        low = 1 - _upper_limit(refuted, self.lost, self.won)
        high = _upper_limit(refuted, self.won, self.lost)
        return self._as_share(low, -1), self._as_share(high, +1)

    def _as_share(self, chance: float, side: int) -> float:
        """Return the share for a chance of winning a deal that does not end alike."""
        decisive = self.won + self.lost
        if (chance - 0.5) * side > 0:
            # What happened in none of n deals may well happen in three of the next n.
            decisive = min(decisive + 3, self.deals)
        return 0.5 + decisive / self.deals * (chance - 0.5)


def _log_wager(won: int, lost: int, chance: float) -> float:
    """Return the logarithm of the stake of a wager against a coin of this chance."""
    coin = won * log(chance) + lost * log1p(-chance)
    stakes = [_log_beta(a + won, a + lost) - _log_beta(a, a) - coin for a in BENDS]
    highest = max(stakes)
    return highest + log(sum(exp(stake - highest) for stake in stakes) / len(stakes))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _wager_won(won: int, lost: int, chance: float) -> bool:
    """Tell whether looking at any time refutes this chance of winning a deal."""
    return _log_wager(won, lost, chance) >= log(1 / EARLY_ERROR)


def _too_unlikely(won: int, lost: int, chance: float) -> bool:
    """Tell whether the last deal refutes it: so many deals lost, or more, are too unlikely."""
    return 2 * _tail(lost, won + lost, 1 - chance) <= FINAL_ERROR


def _upper_limit(refuted: Callable[[int, int, float], bool], won: int, lost: int) -> float:
    """Return the highest chance of winning a deal that is not refuted."""
    if not lost:
        return 1.0
    low, high = won / (won + lost), 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if refuted(won, lost, middle) else (middle, high)
    return high


def _tail(least: int, thrown: int, chance: float) -> float:
    """Return how likely a coin falls this way `least` times or more."""
    log_all = lgamma(thrown + 1)
    return fsum(
        exp(
            log_all
            - lgamma(count + 1)
            - lgamma(thrown - count + 1)
            + count * log(chance)
            + (thrown - count) * log1p(-chance)
        )
        for count in range(least, thrown + 1)
    )

"""Who plays whom: pure functions of the bots on the ladder and a random generator.

The bot whose rating would gain most from a match is served first, within bounds on everybody's
share; its opponents are sampled by how even the match would be. Sampling keeps some distant
opponents in; always taking the nearest converges worse.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import exp, sqrt
from random import Random

from bots_sdk.rating.skill import BETA, Rating, quality
from league.ladder.matchmaking.learning import expected_drop
from league.ladder.matchmaking.settled import (
    MAX_MATCHES,
    MIN_MATCHES,
    NEGLIGIBLE,
    Progress,
    unsettled,
)
from league.ladder.matchmaking.shares import Need

MIN_WEIGHT = 0.02
"""The weight of even the most distant opponent, so that everybody meets everybody at times."""
MIN_SHARE = 0.25
"""A bot that needs matches is served at least this often, compared with the neediest one."""
NEED_BONUS = 4.0
"""An opponent who needs matches too is preferred by this factor: the table teaches about both."""
RECENT_TABLES = 60
"""The number of past tables that tell which bots were opponents often and are spared."""
CEILING_TABLES = 11
CEILING = 5
"""Of `CEILING_TABLES` successive tables a bot sits at no more, while others need matches."""
MAX_DRAWS = 8
"""How often an opponent is drawn at random before the remaining ones are looked at."""
NEARBY = 4
"""The number of neighbours on either side that stand for the opponents of a bot."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be seated."""

    bot: int
    owner: int | None
    """None for house bots, which count as bots of different owners."""
    rating: Rating
    matches: int = 0
    """Rated ones of the version that plays."""
    pending: int = 0
    """Those that wait or are played now."""
    waited_seconds: float = 0.0
    """Since a match was last made for it; infinite if none ever was."""
    seats: dict[int, int] = field(default_factory=dict)
    """How often it sat in each seat."""


class Matchmaker:
    """Makes the next tables of one ladder. Everything is computed once, then kept up to date."""

    def __init__(
        self,
        candidates: Iterable[Candidate],
        table_counts: Mapping[int, int],
        recent_tables: Iterable[Sequence[int]],
        rng: Random,
    ) -> None:
        """`table_counts` says how many matches there were for each size a table can have;
        `recent_tables` are the bots of the last tables, the latest at the end.
        """
        self._rng = rng
        self._candidates = {one.bot: one for one in candidates}
        self.table_counts = dict(table_counts)
        self.recent_tables = deque(recent_tables, maxlen=RECENT_TABLES)
        self._recent = Counter(bot for table in self.recent_tables for bot in table)
        self._sizes = [size for size in table_counts if size <= len(self._candidates)]
        self._seats = sum(self._sizes) / len(self._sizes) if self._sizes else 2.0
        self._turn = 0
        self._waiting_since = {
            bot: -one.waited_seconds - 1 for bot, one in self._candidates.items()
        }
        self._expected = {bot: one.rating.sigma for bot, one in self._candidates.items()}
        self.needy = unsettled(
            [Progress(one.bot, one.rating, one.matches) for one in self._candidates.values()],
            self._seats,
        )
        self._lessons = self._measure(self.needy or set(self._candidates))
        self._expect_pending()
        self._owners_wait = self.need is Need.USERS
        self._order = list(self._candidates)
        self._strengths = [
            (one.rating.mu, one.rating.sigma**2) for one in self._candidates.values()
        ]
        self._usual = 1 + self._recent.total() / max(1, len(self._candidates))
        self._factors = {bot: self._factor(bot) for bot in self._order}

    @property
    def need(self) -> Need:
        """Return whose need there is; queued matches count as played."""
        if not self.needy or not self._sizes:
            return Need.NONE
        owned = any(self._candidates[bot].owner is not None for bot in self.needy)
        return Need.USERS if owned else Need.HOUSE

    def make_table(self) -> list[Candidate] | None:
        """Return who sits in which seat next, or None if there are too few bots for any table."""
        if not self._sizes:
            return None
        served = self._pick_served()
        # Random among the rarest: bots served in turn must not move through the sizes in step.
        rarest = min(self.table_counts[size] for size in self._sizes)
        size = self._rng.choice([n for n in self._sizes if self.table_counts[n] == rarest])
        seated = _seat(self._add_opponents(self._candidates[served], size), self._rng)
        return self._take_note(seated)

    def _measure(self, bots: set[int]) -> dict[int, float]:
        """Return how far one match is expected to lower the sigma of each of these: the mean over
        the nearest opponents, weighed as they are sampled.
        """
        by_mu = sorted(self._candidates.values(), key=lambda one: one.rating.mu)
        lessons = {}
        for at, one in enumerate(by_mu):
            if one.bot not in bots:
                continue
            total = weights = 0.0
            for other in by_mu[max(0, at - NEARBY) : at + NEARBY + 1]:
                if other is not one:
                    weight = max(MIN_WEIGHT, quality(one.rating, other.rating))
                    total += weight * expected_drop(one.rating, other.rating, self._seats)
                    weights += weight
            lessons[one.bot] = max(0.0, total / weights) if weights else 0.0
        return lessons

    def _expect_pending(self) -> None:
        """Count queued matches as played, so that no bot gets more of them than it needs."""
        for one in self._candidates.values():
            for _ in range(one.pending):
                self._expect_match(one)

    def _expect_match(self, one: Candidate) -> None:
        """Count a match that was just made as played: it leaves less to learn."""
        if one.bot not in self._lessons:
            return
        before = self._expected[one.bot]
        after = max(before - self._lessons[one.bot], before / 2)
        self._expected[one.bot] = after
        # For small sigmas the lesson of a match grows with their cube.
        self._lessons[one.bot] *= (after / before) ** 3
        enough = MIN_MATCHES if self._lessons[one.bot] < NEGLIGIBLE else MAX_MATCHES
        if one.matches + one.pending >= enough:
            self.needy.discard(one.bot)

    def _pick_served(self) -> int:
        """Return the bot to serve: shares in proportion to what a match teaches, within bounds."""
        needy = self.needy or self._lessons
        counts = self._latest_counts()
        # Where all are at the ceiling, whoever sat least often goes beyond it, by one table.
        bound = max(CEILING - 1, min(counts[bot] for bot in needy))
        pool = [bot for bot in needy if counts[bot] <= bound]
        top = max(self._lessons[bot] for bot in pool)
        claims = [self._share(bot, top) * (self._turn - self._waiting_since[bot]) for bot in pool]
        highest = max(claims)
        return self._rng.choice(
            [bot for bot, one in zip(pool, claims, strict=True) if one == highest]
        )

    def _share(self, bot: int, top: float) -> float:
        """Return what this bot may claim, compared with the one whose match teaches most: as much
        for its first matches, then what a match teaches.
        """
        one = self._candidates[bot]
        if one.owner is None and self._owners_wait:
            return MIN_SHARE
        if one.matches + one.pending < MIN_MATCHES or top <= 0:
            return 1.0
        return max(MIN_SHARE, self._lessons[bot] / top)

    def _busy(self) -> set[int]:
        """Return the bots that sat at so many of the last tables that others come first."""
        if len(self.needy) == 1:
            return set()
        return {bot for bot, count in self._latest_counts().items() if count >= CEILING}

    def _latest_counts(self) -> Counter[int]:
        """Return at how many of the latest tables each bot sat."""
        latest = list(self.recent_tables)[1 - CEILING_TABLES :]
        return Counter(bot for table in latest for bot in table)

    def _spared(self) -> set[int]:
        """Return the bots that should not be opponents. If just two need matches, they take turns
        and do not meet: otherwise each would sit at more than half of the tables.
        """
        return self._busy() | (self.needy if len(self.needy) == 2 else set())

    def _add_opponents(self, served: Candidate, size: int) -> list[Candidate]:
        """Return the served bot with sampled opponents, no two of one owner unless there are no
        others.
        """
        weights = list(accumulate(self._weights(served)))
        spared = self._spared()
        table = [served]
        while len(table) < size:
            opponent = self._sample(weights, table, spared)
            table.append(opponent or self._choose(weights, table, spared))
        return table

    def _sample(
        self, weights: list[float], table: list[Candidate], spared: set[int]
    ) -> Candidate | None:
        """Return an opponent, drawn again until one fits; None if that takes too long, so that it
        is worth looking at the remaining bots.
        """
        owners = {one.owner for one in table if one.owner is not None}
        seated = {one.bot for one in table} | spared
        for bot in self._rng.choices(self._order, cum_weights=weights, k=MAX_DRAWS):
            if bot not in seated and self._candidates[bot].owner not in owners:
                return self._candidates[bot]
        return None

    def _choose(self, weights: list[float], table: list[Candidate], spared: set[int]) -> Candidate:
        """Return one of the remaining bots: rather one to be spared than one whose owner has a bot
        at the table.
        """
        owners = {one.owner for one in table if one.owner is not None}
        seated = {one.bot for one in table}
        free = [one for one in self._candidates.values() if one.bot not in seated]
        others = [one for one in free if one.owner not in owners] or free
        pool = [one for one in others if one.bot not in spared] or others
        each = dict(zip(self._order, _steps(weights), strict=True))
        return self._rng.choices(pool, [each[one.bot] for one in pool])[0]

    def _weights(self, served: Candidate) -> list[float]:
        """Return how likely each is to be an opponent: by the quality of the match, written out
        because it is asked of everybody for every table, and by need.
        """
        mu, equals = served.rating.mu, 2 * BETA * BETA
        spread_so_far = equals + served.rating.sigma**2
        return [
            factor * max(MIN_WEIGHT, sqrt(equals / spread) * exp(-(gap * gap) / (2 * spread)))
            for factor, gap, spread in (
                (factor, mu - other_mu, spread_so_far + variance)
                for factor, (other_mu, variance) in zip(
                    self._factors.values(), self._strengths, strict=True
                )
            )
        ]

    def _factor(self, bot: int) -> float:
        """Return how much more likely a bot is an opponent because it needs matches, or how much
        less because it had many lately.
        """
        if bot in self.needy:
            return NEED_BONUS
        return 1 / (1 + self._recent[bot] / self._usual) ** 2

    def _take_note(self, seated: list[Candidate]) -> list[Candidate]:
        """Keep everything up to date, and return the table as it is remembered."""
        self.table_counts[len(seated)] += 1
        past = self.recent_tables[0] if len(self.recent_tables) == RECENT_TABLES else []
        self.recent_tables.append([one.bot for one in seated])
        self._recent.subtract(past)
        self._recent.update(one.bot for one in seated)
        self._turn += 1
        table = [
            replace(
                one,
                pending=one.pending + 1,
                waited_seconds=0.0,
                seats=one.seats | {seat: one.seats.get(seat, 0) + 1},
            )
            for seat, one in enumerate(seated)
        ]
        for one in table:
            self._candidates[one.bot] = one
            self._waiting_since[one.bot] = self._turn - 1
            self._expect_match(one)
        for bot in {*past, *self.recent_tables[-1]} & self._factors.keys():
            self._factors[bot] = self._factor(bot)
        return table


def _steps(sums: list[float]) -> list[float]:
    """Return the numbers that were summed up."""
    return [after - before for before, after in pairwise([0.0, *sums])]


def _seat(table: list[Candidate], rng: Random) -> list[Candidate]:
    """Return the order in which all together get the seats they had least often.

    Seat by seat, the best order of every group that may sit there is kept: at a large table there
    are too many orders to compare them all.
    """
    shuffled = rng.sample(table, len(table))
    best: dict[frozenset[int], tuple[int, list[Candidate]]] = {frozenset(): (0, [])}
    for seat in range(len(shuffled)):
        longer: dict[frozenset[int], tuple[int, list[Candidate]]] = {}
        for group, (cost, order) in best.items():
            for one in shuffled:
                if one.bot in group:
                    continue
                grown, total = group | {one.bot}, cost + one.seats.get(seat, 0)
                if grown not in longer or total < longer[grown][0]:
                    longer[grown] = (total, [*order, one])
        best = longer
    ((_, order),) = best.values()
    return order

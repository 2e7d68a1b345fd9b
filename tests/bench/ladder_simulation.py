"""A made-up ladder with a clock of its own: bots whose true strength is known, and their matches.

No database and no games: a bot performs as well as it is strong, plus luck, as TrueSkill assumes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from random import Random
from statistics import mean

from bots_sdk.rating.skill import BETA, Rating, rate
from league.ladder.matchmaking.pairing import RECENT_TABLES, Candidate
from league.ladder.matchmaking.settled import MIN_MATCHES, SURE, chance_to_be_better
from league.ladder.ratings.ledger import start
from tests.bench.ladder_rules import Rule, Situation

SIZES = (2, 3, 4)
BATCH_SIZE = 4
"""So many matches are made together, as a league with one core does."""
MATCHES_PER_SECOND = 5.0
SETTLED_SIGMA = 0.9
SETTLED_MATCHES = 100
CERTAIN = 1e6
"""A strength that no luck makes up for."""


class Kind(StrEnum):
    """How a bot plays."""

    USUAL = "usual"
    LAST = "always last"
    FIRST = "always first"
    TWIN = "twin"
    FAULTY = "faulty"


@dataclass(slots=True)
class Player:
    """A bot: the truth about it, and what the league believes."""

    bot: int
    kind: Kind
    strength: float
    rating: Rating = field(default_factory=lambda: start(None))
    matches: int = 0
    """Of the version that plays."""
    earlier_matches: int = 0
    """Of former versions."""
    arrived: bool = False
    """Whether it is a newcomer or a new version among bots that are settled."""
    placed_at: int | None = None
    """After how many matches of the ladder its true rank was first within its interval."""
    last_made_at: float = -inf
    seats: Counter[int] = field(default_factory=Counter)

    def perform(self, rng: Random) -> float:
        """Return how well it does in one match. Faulty ones forfeit alike."""
        return self.strength + (0 if self.kind is Kind.FAULTY else rng.gauss(0, BETA))


def make_player(bot: int, kind: Kind, rng: Random) -> Player:
    """Return a bot that never played."""
    certain = {Kind.LAST: -CERTAIN, Kind.FIRST: CERTAIN, Kind.FAULTY: -2 * CERTAIN}
    return Player(bot, kind, certain.get(kind, 25.0 if kind is Kind.TWIN else rng.gauss(25, 6)))


class LadderSimulation:
    """One ladder whose matches are made by a rule."""

    def __init__(self, players: Iterable[Player], rule: Rule, seed: str) -> None:
        self.players = {one.bot: one for one in players}
        self.tables: list[list[int]] = []
        self._table_counts = dict.fromkeys(SIZES, 0)
        self._rule = rule
        self._rng = Random(seed)

    def play(self, count: int) -> None:
        """Make and play so many matches."""
        end = len(self.tables) + count
        while len(self.tables) < end:
            batch_size = min(BATCH_SIZE, end - len(self.tables))
            for table in self._rule(self._situation(), batch_size, self._rng):
                self._play_table(table)

    def play_until_placed(self, limit: int) -> int:
        """Play until every arrival was placed; return after how many matches that was."""
        arrivals = [one for one in self.players.values() if one.arrived]
        while len(self.tables) < limit and any(one.placed_at is None for one in arrivals):
            self.play(BATCH_SIZE)
        return max(limit if one.placed_at is None else one.placed_at for one in arrivals)

    def rank_error(self, *, of_arrivals: bool = False) -> float:
        """Return how far the shown ranks are from the true ones, as a share of all ranks."""
        ones = list(self.players.values())
        shown = sorted(ones, key=lambda one: -one.rating.cautious)
        true_ranks = self._true_ranks()
        return mean(
            max(true_ranks[one.bot].start - rank, rank - true_ranks[one.bot][-1], 0) / len(ones)
            for rank, one in enumerate(shown, 1)
            if one.arrived or not of_arrivals
        )

    def _situation(self) -> Situation:
        now, ones = len(self.tables) / MATCHES_PER_SECOND, self.players.values()
        return Situation(
            [
                Candidate(
                    bot=one.bot,
                    owner=one.bot,
                    rating=one.rating,
                    matches=one.matches,
                    waited_seconds=now - one.last_made_at,
                    seats=one.seats,
                )
                for one in ones
            ],
            {one.bot: one.matches + one.earlier_matches for one in ones},
            self._table_counts,
            self.tables[-RECENT_TABLES:],
        )

    def _play_table(self, table: list[int]) -> None:
        self.tables.append(table)
        self._table_counts[len(table)] += 1
        seated = [self.players[bot] for bot in table]
        performances = [one.perform(self._rng) for one in seated]
        order = sorted(performances, reverse=True)
        ratings = rate([one.rating for one in seated], [order.index(p) + 1 for p in performances])
        for seat, (one, rating) in enumerate(zip(seated, ratings, strict=True)):
            one.rating = rating
            one.matches += 1
            one.last_made_at = len(self.tables) / MATCHES_PER_SECOND
            one.seats[seat] += 1
        for one in seated:
            if one.arrived and one.placed_at is None and one.matches >= MIN_MATCHES:
                self._place(one)

    def _place(self, arrival: Player) -> None:
        """Note if the true rank is within the interval that the ratings leave."""
        others = [one for one in self.players.values() if one is not arrival]
        chances = [chance_to_be_better(one.rating, arrival.rating) for one in others]
        highest = 1 + sum(chance >= SURE for chance in chances)
        lowest = len(others) + 1 - sum(chance <= 1 - SURE for chance in chances)
        true_ranks = self._true_ranks()[arrival.bot]
        if true_ranks.start <= lowest and highest <= true_ranks[-1]:
            arrival.placed_at = len(self.tables)

    def _true_ranks(self) -> dict[int, range]:
        """Return the ranks that each bot may rightly have; equals share theirs."""
        ones = sorted(self.players.values(), key=lambda one: -one.strength)
        ranks: dict[int, range] = {}
        first = 0
        for at in range(1, len(ones) + 1):
            if at == len(ones) or ones[at].strength < ones[first].strength:
                ranks |= {one.bot: range(first + 1, at + 1) for one in ones[first:at]}
                first = at
        return ranks


def resolve_options(players: Sequence[Player], rng: Random) -> None:
    """Give bots the ratings they have in a league that has been playing for long. Those at the ends
    of the scale get what 60 matches against three others make of one of them.
    """
    ordinary = [one for one in players if abs(one.strength) < CERTAIN]
    for one in ordinary:
        one.rating = Rating(rng.gauss(one.strength, SETTLED_SIGMA), SETTLED_SIGMA)
    extremes = {one.strength: start(None) for one in players if abs(one.strength) >= CERTAIN}
    for strength in extremes:
        places = [4, 1, 2, 3] if strength < 0 else [1, 2, 3, 4]
        for _ in range(60):
            others = [one.rating for one in rng.sample(ordinary, 3)]
            extremes[strength] = rate([extremes[strength], *others], places)[0]
    for one in players:
        one.rating = extremes.get(one.strength, one.rating)
        one.matches = SETTLED_MATCHES
        one.last_made_at = 0.0


def renew(player: Player, rng: Random) -> None:
    """Let a bot play with a new version, which may be better or worse."""
    player.strength += rng.gauss(0, 4)
    player.rating = start(player.rating)
    player.earlier_matches += player.matches
    player.matches = 0
    player.arrived = True

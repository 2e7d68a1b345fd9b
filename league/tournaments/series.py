"""Series: K games in which everybody notes penalty points; the fewest win, and ties share.

This is the tournament play of Edelsteinsuche, for any game: the penalty of a match is what a seat
is behind the best score at its table. In Edelsteinsuche the score is minus the missing cards, so
that the penalty is what is missing. More entries than seats are dealt to tables like in a round
robin, K games at each table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from league.tournaments.config import MOST_ROUNDS, Config, Problem, TieBreak
from league.tournaments.plan import Entry, Result, Round
from league.tournaments.round_robin import draw


@dataclass(frozen=True, kw_only=True)
class Series(Config):
    """The choices of a series: `deals` is the K of the rules, best a multiple of the seats."""

    deals: int = 4
    rounds: int = 1

    fewest_wins: ClassVar[bool] = True
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = ()

    def problems(self) -> list[Problem]:
        """Everything that is wrong with these choices."""
        found = super().problems()
        if not 1 <= self.rounds <= MOST_ROUNDS:
            found.append(Problem("rounds", f"Choose 1 to {MOST_ROUNDS} rounds."))
        if self.points:
            found.append(Problem("points", "A series counts penalty points from the scores."))
        return found

    def award(self, result: Result) -> list[Fraction]:
        """What each seat is behind the best; who forfeited is as far behind as the furthest."""
        honest = [seat for seat in range(len(result.scores)) if seat not in result.forfeits]
        best = max(result.scores[seat] for seat in honest or range(len(result.scores)))
        behind = [max(best - score, 0) for score in result.scores]
        return [
            Fraction(max(behind) if seat in result.forfeits else penalty)
            for seat, penalty in enumerate(behind)
        ]

    def idle(self, played: Round) -> Fraction:
        """The average penalty of the matches of this round."""
        penalties = [
            penalty
            for table in played.tables
            for _, result in table.played()
            if not result.void
            for penalty in self.award(result)
        ]
        return sum(penalties, Fraction(0)) / max(len(penalties), 1)


def table_counts(config: Series, entries: int) -> list[int]:
    """The number of tables of each round."""
    return [entries // config.seats] * config.rounds


def next_round(config: Series, entries: Sequence[Entry], rounds: Sequence[Round]) -> Round | None:
    """The round after these, or None when all are played."""
    return draw(config, config.rounds, entries, rounds)

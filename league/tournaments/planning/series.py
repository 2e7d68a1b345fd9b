"""Series: K games in which everybody notes penalty points; the fewest win, and ties share.

Each game says what is noted as penalty points (`Game.penalty`). If there are more entries than
seats, they are distributed over tables like in a round robin, with K games at each table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from engine.penalty import BEHIND_BEST, Penalty
from engine.registry import GAMES
from league.tournaments.planning.config import MAX_ROUNDS, Config, Problem, TieBreak
from league.tournaments.planning.plan import Entry, Result, Round
from league.tournaments.planning.round_robin import draw


@dataclass(frozen=True, kw_only=True)
class Series(Config):
    """The choices of a series: `deals` is the K of the rules, best a multiple of the seats."""

    deals: int = 4
    rounds: int = 1
    game: str = ""
    """Whose penalty points are noted; the league fills it in."""

    fewest_wins: ClassVar[bool] = True
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = ()

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with these choices."""
        problems = super().problems()
        if not 1 <= self.rounds <= MAX_ROUNDS:
            problems.append(Problem("rounds", f"Choose 1 to {MAX_ROUNDS} rounds."))
        if self.game and self.game not in GAMES:
            problems.append(Problem("game", f"There is no game {self.game[:40]!r}."))
        if self.points:
            problems.append(Problem("points", "A series counts penalty points from the scores."))
        return problems

    def award(self, result: Result) -> list[Fraction]:
        """Return what each seat notes; one that forfeited notes the maximum of the game."""
        return [Fraction(points) for points in self.penalty.noted(result.scores, result.forfeits)]

    @property
    def penalty(self) -> Penalty:
        """Return what is noted in this game."""
        return GAMES[self.game].penalty if self.game else BEHIND_BEST

    @property
    def counted(self) -> str:
        """Return what decides, in words."""
        return f"each bot notes {self.penalty.meaning}, as penalty points, and the fewest win"

    def idle(self, played: Round) -> Fraction:
        """Return the average penalty of those who played the matches of this round."""
        penalties = [
            penalty
            for table in played.tables
            for _, result in table.played()
            if not result.void
            for seat, penalty in enumerate(self.award(result))
            if seat not in result.forfeits
        ]
        return sum(penalties, Fraction(0)) / max(len(penalties), 1)


def table_counts(config: Series, entries: int) -> list[int]:
    """Return the number of tables of each round."""
    return [entries // config.seats] * config.rounds


def next_round(config: Series, entries: Sequence[Entry], rounds: Sequence[Round]) -> Round | None:
    """Return the round after these, or None when all are played."""
    return draw(config, config.rounds, entries, rounds)

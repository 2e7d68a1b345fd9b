"""Series: K games in which everybody notes penalty points; the fewest win, and ties share.

This is the tournament play of Edelsteinsuche, for any game: each game says what is noted as penalty
points (`Game.penalty`); in Edelsteinsuche it is the number of missing cards. If there are more
entries than seats, they are dealt to tables like in a round robin, K games at each table.
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
        """Everything that is wrong with these choices."""
        found = super().problems()
        if not 1 <= self.rounds <= MAX_ROUNDS:
            found.append(Problem("rounds", f"Choose 1 to {MAX_ROUNDS} rounds."))
        if self.game and self.game not in GAMES:
            found.append(Problem("game", f"There is no game {self.game[:40]!r}."))
        if self.points:
            found.append(Problem("points", "A series counts penalty points from the scores."))
        return found

    def award(self, result: Result) -> list[Fraction]:
        """What each seat notes; who forfeited notes the most that the game knows."""
        return [Fraction(points) for points in self.penalty.noted(result.scores, result.forfeits)]

    @property
    def penalty(self) -> Penalty:
        """What is noted in this game."""
        return GAMES[self.game].penalty if self.game else BEHIND_BEST

    @property
    def counted(self) -> str:
        """What decides, in words."""
        return f"each bot notes {self.penalty.meaning}, as penalty points, and the fewest win"

    def idle(self, played: Round) -> Fraction:
        """The average penalty of those who played the matches of this round."""
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
    """The number of tables of each round."""
    return [entries // config.seats] * config.rounds


def next_round(config: Series, entries: Sequence[Entry], rounds: Sequence[Round]) -> Round | None:
    """The round after these, or None when all are played."""
    return draw(config, config.rounds, entries, rounds)

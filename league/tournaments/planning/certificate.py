"""The balance certificate: how evenly opponents, seats and byes are distributed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.tournaments.planning.plan import EntryId, Round, byes, meetings, seats_taken
from league.tournaments.wording import times


@dataclass(frozen=True, slots=True)
class Span:
    """The least and the most of something."""

    least: int
    most: int

    def __str__(self) -> str:
        return times(self.most) if self.least == self.most else f"{self.least} to {self.most} times"


@dataclass(frozen=True, slots=True)
class Certificate:
    """The counts of these rounds, over all entries."""

    meetings: Span
    """At how many tables a pair met."""
    seats: Span
    """How often an entry had a seat, in matches."""
    byes: Span

    def sentence(self) -> str:
        """Return the certificate in words."""
        return (
            f"Each pair met {self.meetings}; each bot had each seat {self.seats} "
            f"and sat out {self.byes}."
        )


def certify(entries: Collection[EntryId], seats: int, rounds: Sequence[Round]) -> Certificate:
    """Count opponents, seats and byes over these rounds."""
    met, taken, rested = meetings(rounds), seats_taken(rounds), byes(rounds)
    return Certificate(
        _span([met[frozenset(pair)] for pair in combinations(entries, 2)]),
        _span([taken[entry, seat] for entry in entries for seat in range(seats)]),
        _span([rested[entry] for entry in entries]),
    )


def _span(counts: Sequence[int]) -> Span:
    return Span(min(counts, default=0), max(counts, default=0))

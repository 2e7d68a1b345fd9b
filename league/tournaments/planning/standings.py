"""Standings, and what decided each place.

An entry that left, or forfeited every game it was seated for, is ranked below everybody else,
whatever it won before, so that leaving never pays. Then come points, head-to-head among those with
equal points, the score per match (fewer forfeits first), and the cautious rating frozen when the
entries were locked; entries that are equal even then share the place. A format may use fewer
tie-breaks (`Config.tie_breaks`). Disqualified entries come last, without a place. What others won
against those who left stays won.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import chain
from typing import Literal

from league.tournaments.planning.config import Config, TieBreak
from league.tournaments.planning.plan import Entry, EntryId, Round, Status, byes
from league.tournaments.planning.scoring import round_points

Criterion = TieBreak | Literal["stayed", "stage", "points", "shared"]


class Presence(IntEnum):
    """Whether an entry stayed and played. More stands higher, whatever else it has."""

    DISQUALIFIED = 0
    WITHDRAWN = 1
    """It left, was suspended, or had no version that could play."""
    ABSENT = 2
    """It forfeited every game it was seated for: it does not load, or always breaks down."""
    STAYED = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings, with every value that decided it."""

    place: int | None
    """None for a disqualified entry."""
    entry: EntryId
    status: Status
    points: Fraction
    """Of all rounds. In a knock-out those of the last round reached decide, not their sum."""
    by_round: tuple[Fraction | None, ...]
    """None for a round the entry had no part in."""
    head_to_head: int | None
    """How much more often it was ahead of than behind those with equal points; None if nobody
    has."""
    score: Fraction
    """Per match."""
    rating: float | None
    games: int
    byes: int
    forfeits: int
    decided_by: Criterion
    """What puts it behind the row above: `shared` if nothing does."""
    presence: Presence = Presence.STAYED
    stage: int = 0
    """The last round reached, in a knock-out."""


@dataclass(slots=True)
class _Tally:
    """What an entry has gathered over all rounds."""

    by_round: list[Fraction | None]
    scores: int = 0
    games: int = 0
    forfeits: int = 0

    @property
    def points(self) -> Fraction:
        return sum((points for points in self.by_round if points is not None), Fraction(0))

    @property
    def score(self) -> Fraction:
        return Fraction(self.scores, self.games or 1)

    def presence(self, status: Status) -> Presence:
        if status == "playing":
            absent = self.games and self.forfeits == self.games
            return Presence.ABSENT if absent else Presence.STAYED
        return Presence.WITHDRAWN if status == "withdrawn" else Presence.DISQUALIFIED


def standings(config: Config, entries: Iterable[Entry], rounds: Sequence[Round]) -> list[Row]:
    """Return the rows of these entries, the best first."""
    entries = list(entries)
    tallies = _tallies(config, entries, rounds)
    net = _head_to_head(entries, tallies, rounds)
    rested = byes(rounds)

    def key(entry: Entry) -> _Key:
        tally = tallies[entry.id]
        values: dict[TieBreak, Sequence[Fraction | float]] = {
            "head-to-head": [net[entry.id] or 0],
            # What fallback moves gained is not an entry's own: who forfeited less stands higher.
            "score": [-tally.forfeits, tally.score],
            "rating": [float("-inf") if entry.rating is None else entry.rating],
        }
        points = -tally.points if config.fewest_wins else tally.points
        links = chain.from_iterable(values[link] for link in config.tie_breaks)
        return tally.presence(entry.status), points, *links

    rows: list[Row] = []
    above: _Key | None = None
    for entry in sorted(entries, key=lambda e: (tuple(-v for v in key(e)), e.rank, e.id)):
        place = rows[-1].place if key(entry) == above else len(rows) + 1
        criterion = _decided_by(config, above, key(entry))
        above = key(entry)
        tally = tallies[entry.id]
        rows.append(_row(entry, tally, rested[entry.id], place, net[entry.id], criterion))
    return rows


_Key = tuple[Fraction | float, ...]
"""Presence, points, and the tie-breaks; more is better."""


def _row(
    entry: Entry,
    tally: _Tally,
    rested: int,
    place: int | None,
    head_to_head: int | None,
    decided_by: Criterion,
) -> Row:
    return Row(
        place=place if entry.status != "disqualified" else None,
        entry=entry.id,
        status=entry.status,
        points=tally.points,
        by_round=tuple(tally.by_round),
        head_to_head=head_to_head,
        score=tally.score,
        rating=entry.rating,
        games=tally.games,
        byes=rested,
        forfeits=tally.forfeits,
        decided_by=decided_by,
        presence=tally.presence(entry.status),
    )


def _decided_by(config: Config, above: _Key | None, key: _Key) -> Criterion:
    """Return the first tie-break in which two rows differ."""
    if above is None:
        return "points" if key[0] == Presence.STAYED else "stayed"
    breaks = [(link, link) if link == "score" else (link,) for link in config.tie_breaks]
    links: list[Criterion] = ["stayed", "points", *chain.from_iterable(breaks)]
    pairs = zip(links, above, key, strict=True)
    return next((link for link, one, other in pairs if one != other), "shared")


def _tallies(
    config: Config, entries: Sequence[Entry], rounds: Sequence[Round]
) -> dict[EntryId, _Tally]:
    tallies = {entry.id: _Tally([]) for entry in entries}
    for played in rounds:
        points = round_points(config, played)
        for entry, tally in tallies.items():
            tally.by_round.append(points.get(entry))
        for match, result in (pair for table in played.tables for pair in table.played()):
            for seat, entry in enumerate(match.seats if not result.void else ()):
                if entry in tallies:
                    tallies[entry].scores += result.scores[seat]
                    tallies[entry].games += 1
                    tallies[entry].forfeits += seat in result.forfeits
    return tallies


def _head_to_head(
    entries: Sequence[Entry], tallies: dict[EntryId, _Tally], rounds: Sequence[Round]
) -> dict[EntryId, int | None]:
    """Return how much more often each was ahead of than behind those with equal points."""
    ahead = Counter(
        (one, other)
        for played in rounds
        for table in played.tables
        for match, result in table.played()
        for one, place in zip(match.seats, result.placements, strict=False)
        for other, behind in zip(match.seats, result.placements, strict=False)
        if place < behind
    )
    equals: defaultdict[tuple[Presence, Fraction], list[EntryId]] = defaultdict(list)
    for entry in entries:
        tally = tallies[entry.id]
        equals[tally.presence(entry.status), tally.points].append(entry.id)
    return {
        one: sum(ahead[one, other] - ahead[other, one] for other in group)
        if len(group) > 1
        else None
        for group in equals.values()
        for one in group
    }

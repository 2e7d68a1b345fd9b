"""Groups and knock-out: the best of every table advance, until one table is left.

Every table is full. Entries that are too many for even stages play a first round among the weakest
seeds while the others sit out, so that only the first round has byes. Where the numbers do not come
out even, one more or one less advances from single tables; `stages` finds the way with the fewest
of those. If somebody who advanced leaves, the best of the others takes the place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from league.tournaments.planning.config import Config, Problem
from league.tournaments.planning.plan import Entry, EntryId, Round, Table, playing
from league.tournaments.planning.seating import seated
from league.tournaments.planning.standings import Presence, Row, standings


@dataclass(frozen=True, kw_only=True)
class Knockout(Config):
    """The choices of a knock-out."""

    advance: int = 2
    """How many of each table advance."""

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with these choices."""
        problems = super().problems()
        if not 1 <= self.advance < self.seats:
            problems.append(
                Problem("advance", "At least one bot of a table advances, and not all.")
            )
        return problems


@dataclass(frozen=True, slots=True)
class Stage:
    """The shape of a round: its tables, how many go on from each, and how many sit out."""

    advance: tuple[int, ...]
    """For each table; 0 at the final one."""
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entry of a round comes from: a place at a table of the round before, or a bye."""

    table: int
    """0 for a bye."""
    place: int


def stages(entries: int, seats: int, advance: int) -> tuple[Stage, ...]:
    """Return the rounds for this number of entries: fewest exceptions, then rounds, then byes."""
    if entries == seats:
        return (Stage((0,)),)
    ways = [
        (way.exceptions, len(way.stages), way.stages[0].byes, way.stages)
        for tables in range(1, entries // seats + 1)
        for way in _ways(entries - tables * seats, tables, seats, advance)
    ]
    return min(ways, key=lambda way: way[:3])[3]


@dataclass(frozen=True, slots=True)
class _Way:
    """Stages to the final, and how many more or fewer than usual go on in them."""

    exceptions: int
    stages: tuple[Stage, ...]


def _ways(byes: int, tables: int, seats: int, advance: int) -> Iterator[_Way]:
    """Yield every way to continue from these byes and full tables."""
    for left in range(seats, byes + tables * seats, seats):
        goes_on = left - byes
        if tables <= goes_on <= tables * (seats - 1) and (later := _full(left, seats, advance)):
            exceptions = later.exceptions + abs(goes_on - advance * tables)
            yield _Way(exceptions, (_stage(goes_on, tables, byes), *later.stages))


@lru_cache(maxsize=1024)
def _full(entries: int, seats: int, advance: int) -> _Way | None:
    """Return the best way without byes; None if there is none, as for six at tables of two."""
    if entries == seats:
        return _Way(0, (Stage((0,)),))
    ways = _ways(0, entries // seats, seats, advance)
    return min(ways, key=lambda way: (way.exceptions, len(way.stages)), default=None)


def _stage(goes_on: int, tables: int, byes: int) -> Stage:
    """Return a stage whose advancing places are spread over the tables."""
    each, more = divmod(goes_on, tables)
    return Stage(tuple(each + (number < more) for number in range(tables)), byes)


def table_counts(config: Knockout, entries: int) -> list[int]:
    """Return the number of tables of each round."""
    return [len(stage.advance) for stage in stages(entries, config.seats, config.advance)]


def next_round(config: Knockout, entries: Sequence[Entry], rounds: Sequence[Round]) -> Round | None:
    """Return the round after these, or None when the final is played or too few are left."""
    if rounds and is_final(rounds[-1]):
        return None
    if rounds:
        qualified = advancing(config, entries, rounds[-1])
    else:
        qualified = {Source(0, seed): entry.id for seed, entry in enumerate(playing(entries), 1)}
    if len(qualified) < config.seats:
        return None
    stage = _next_stage(config, len(qualified), rounds)
    sources = list(qualified)
    groups = distribute(sources[stage.byes :], len(stage.advance))
    tables = seated(config, [[qualified[source] for source in group] for group in groups], rounds)
    going = zip(tables, stage.advance, strict=True)
    return Round(
        len(rounds) + 1,
        tuple(replace(table, advance=advance) for table, advance in going),
        tuple(qualified[source] for source in sources[: stage.byes]),
    )


def _next_stage(config: Knockout, entries: int, rounds: Sequence[Round]) -> Stage:
    """Return the stage that was planned from the start, or another if too many have left."""
    if rounds and entries == _size_after(rounds[-1]):
        return later_stages(config, rounds)[0]
    return stages(entries, config.seats, config.advance)[0]


def later_stages(config: Knockout, rounds: Sequence[Round]) -> tuple[Stage, ...]:
    """Return the stages still to come after these rounds."""
    if not rounds or is_final(rounds[-1]):
        return ()
    way = _full(_size_after(rounds[-1]), config.seats, config.advance)
    return way.stages if way else ()


def _size_after(played: Round) -> int:
    """Return how many advance."""
    return len(played.byes) + sum(table.advance for table in played.tables)


def is_final(played: Round) -> bool:
    """Return whether nothing comes after this round."""
    return [table.advance for table in played.tables] == [0]


def sources_after(advance: Sequence[int], byes: int) -> list[Source]:
    """Return who advances from a stage: the byes, then all first places, all second, …"""
    rested = [Source(0, number) for number in range(1, byes + 1)]
    places = range(1, max(advance) + 1)
    return rested + [
        Source(table, place)
        for place in places
        for table, going in enumerate(advance, 1)
        if place <= going
    ]


def distribute(sources: Sequence[Source], tables: int) -> list[list[Source]]:
    """Return tables of equal size, in snake order, that separate those from the same table."""
    groups: list[list[Source]] = [[] for _ in range(tables)]
    size = len(sources) // tables
    for index, source in enumerate(sources):
        back = index // tables % 2

        def fit(number: int, source: Source = source, back: int = back) -> tuple[int, int, int]:
            same = sum(source.table == other.table != 0 for other in groups[number])
            return same, len(groups[number]), -number if back else number

        open_tables = [number for number in range(tables) if len(groups[number]) < size]
        groups[min(open_tables, key=fit)].append(source)
    return groups


def table_order(config: Config, entries: Sequence[Entry], table: Table) -> list[EntryId]:
    """Return the entries of a table, best first, by the tie-breaks and then the seeding."""
    here = [entry for entry in entries if entry.id in table.entries]
    return [row.entry for row in standings(config, here, [Round(1, (table,))])]


def advancing(config: Knockout, entries: Sequence[Entry], played: Round) -> dict[Source, EntryId]:
    """Return who takes each place in the next round; others move up for those who left."""
    left = {entry.id for entry in playing(entries)}
    qualified: dict[Source, EntryId] = {}
    spare: list[tuple[int, EntryId]] = []
    for number, entry in enumerate(played.byes, 1):
        if entry in left:
            qualified[Source(0, number)] = entry
    for table in played.tables:
        order = [entry for entry in table_order(config, entries, table) if entry in left]
        for place, entry in enumerate(order, 1):
            if place <= table.advance:
                qualified[Source(table.number, place)] = entry
            else:
                spare.append((place, entry))
    places = sources_after([table.advance for table in played.tables], len(played.byes))
    vacant = [source for source in places if source not in qualified]
    qualified |= {source: entry for source, (_, entry) in zip(vacant, sorted(spare), strict=False)}
    return {source: qualified[source] for source in places if source in qualified}


def final_standings(
    config: Knockout, entries: Sequence[Entry], rounds: Sequence[Round]
) -> list[Row]:
    """Rank by the last round reached; within a round, its results decide.

    Whoever left is ranked below all who stayed, however far they came.
    """
    whole = {row.entry: row for row in standings(config, entries, rounds)}
    reached = {
        entry: played.number
        for played in rounds
        for entry in (*played.byes, *(e for table in played.tables for e in table.entries))
    }
    ranked: list[Row] = []
    for presence in sorted(Presence, reverse=True):
        for number in range(len(rounds), -1, -1):
            group = [
                replace(entry, status="playing")
                for entry in entries
                if whole[entry.id].presence == presence and reached.get(entry.id, 0) == number
            ]
            rows = standings(config, group, rounds[number - 1 : number] if number else ())
            ranked += [_place_row(whole[row.entry], row, ranked, number) for row in rows]
    return ranked


def _place_row(whole: Row, row: Row, better: Sequence[Row], stage: int) -> Row:
    """Return the row of a whole knock-out, with the tie-breaks of the round that decided it."""
    decided_by = row.decided_by
    if row.place == 1 and decided_by != "shared" and better:
        decided_by = "stage" if better[-1].presence == whole.presence else "stayed"
    return replace(
        whole,
        place=len(better) + (row.place or 1) if whole.place else None,
        head_to_head=row.head_to_head,
        score=row.score,
        decided_by=decided_by,
        stage=stage,
    )

"""The bracket of a knock-out as a list: rounds, their pods, and who sits there or will.

Read from top to bottom it makes sense without any drawing; places not decided yet are named after
where they come from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.tournaments.planning.knockout import (
    Knockout,
    Source,
    Stage,
    distribute,
    later_stages,
    next_round,
    sources_after,
    table_order,
)
from league.tournaments.planning.plan import Entry, EntryId, Round, Table, letters, playing
from league.tournaments.planning.scoring import table_points


@dataclass(frozen=True, slots=True)
class Place:
    """A seat: its entry, or the name of the place if that is not known yet."""

    entry: EntryId | None
    text: str = ""
    """`Winner 2 of pod B`; empty if the entry is known."""
    points: Fraction | None = None
    advances: bool | None = None
    """None while it is not decided, and at the final table."""


@dataclass(frozen=True, slots=True)
class Pod:
    """A table of the bracket; those who lead stand first."""

    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of the bracket, and who sits it out."""

    name: str
    pods: tuple[Pod, ...]
    byes: tuple[EntryId, ...] = ()


def bracket(
    config: Knockout, entries: Sequence[Entry], rounds: Sequence[Round]
) -> list[BracketRound]:
    """Return all rounds, from the first to the final; before the start, as they would be now."""
    if not rounds:
        first = next_round(config, entries, ())
        rounds = [first] if first else []
    coming = later_stages(config, rounds)
    total = len(rounds) + len(coming)
    stages = [_played_round(config, entries, played, total) for played in rounds]
    if not coming:
        return stages
    last = rounds[-1]
    known = _known(config, entries, last)
    before = Stage(tuple(table.advance for table in last.tables), len(last.byes))
    for number, stage in enumerate(coming, len(rounds) + 1):
        name = round_name(number, total, len(stage.advance))
        stages.append(_expected_round(before, stage, name, known))
        before, known = stage, {}
    return stages


def round_name(number: int, total: int, tables: int) -> str:
    """Return `Final`, `Semi-finals` of two tables, `Quarter-finals` of four, or `Round 1`."""
    names = {(0, 1): "Final", (1, 2): "Semi-finals", (2, 4): "Quarter-finals"}
    return names.get((total - number, tables), f"Round {number}")


def _played_round(
    config: Knockout, entries: Sequence[Entry], played: Round, total: int
) -> BracketRound:
    pods = tuple(_pod(config, entries, played, table) for table in played.tables)
    return BracketRound(round_name(played.number, total, len(pods)), pods, played.byes)


def _pod(config: Knockout, entries: Sequence[Entry], played: Round, table: Table) -> Pod:
    """Return a table whose entries are known."""
    started = any(table.results)
    order = table_order(config, entries, table) if started else table.entries
    points = table_points(config, played, table)
    decided = table.complete and table.advance > 0
    advancing = _advancing(config, entries, table) if decided else []
    places = tuple(
        Place(
            entry, "", points[entry] if started else None, entry in advancing if decided else None
        )
        for entry in order
    )
    return Pod(_pod_name(table.number, table.advance), places)


def _expected_round(
    before: Stage, stage: Stage, name: str, known: Mapping[Source, EntryId]
) -> BracketRound:
    """Return a round whose entries are not all known."""
    groups = distribute(sources_after(before.advance, before.byes), len(stage.advance))
    pods = [
        Pod(_pod_name(number, advance), tuple(_place(s, before, known) for s in group))
        for number, (group, advance) in enumerate(zip(groups, stage.advance, strict=True), 1)
    ]
    return BracketRound(name, tuple(pods))


def _place(source: Source, before: Stage, known: Mapping[Source, EntryId]) -> Place:
    if source in known:
        return Place(known[source])
    if not source.table:
        return Place(None, f"Seed {source.place}")
    which = f" {source.place}" if before.advance[source.table - 1] > 1 else ""
    return Place(None, f"Winner{which} of pod {letters(source.table)}")


def _pod_name(number: int, advance: int) -> str:
    return f"Pod {letters(number)}" if advance else "Final table"


def _known(config: Knockout, entries: Sequence[Entry], last: Round) -> dict[Source, EntryId]:
    """Return the places of the next round that are decided already."""
    known = {Source(0, number): entry for number, entry in enumerate(last.byes, 1)}
    for table in last.tables:
        if table.complete:
            advancing = _advancing(config, entries, table)
            known |= {Source(table.number, at): entry for at, entry in enumerate(advancing, 1)}
    return known


def _advancing(config: Knockout, entries: Sequence[Entry], table: Table) -> list[EntryId]:
    left = {entry.id for entry in playing(entries)}
    order = [entry for entry in table_order(config, entries, table) if entry in left]
    return order[: table.advance]

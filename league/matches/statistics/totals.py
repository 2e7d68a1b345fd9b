"""Statistics of how bots play and whom they beat, added up while matches are stored.

Pages read these few rows and never all matches. The rebuild counts everything again from the places
and the records, so both must agree.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple, TypeVar

from django.db import connection

from league.database import dialect
from league.matches.models import Meeting, Record, Seat, Style
from league.matches.records import codec
from league.matches.statistics.counting import styles_of
from league.matches.statistics.style import Counts

CHUNK = 500
"""The number of rows that are read or written at once."""
MET = ("met", "one_ahead", "other_ahead")
"""What is counted of a pair."""


Row = TypeVar("Row", Style, Meeting)
Line = TypeVar("Line")


class StyleKey(NamedTuple):
    """A version in a game."""

    version: int
    game: str


class Pair(NamedTuple):
    """Two bots at tables of one size; the older bot comes first."""

    one: int
    other: int
    game: str
    seat_count: int


class Sat(NamedTuple):
    """Who took which place."""

    bot: int
    place: int


class Sums:
    """What some matches add."""

    def __init__(self) -> None:
        self.styles: dict[StyleKey, Counter[str]] = {}
        self.seats: Counter[StyleKey] = Counter()
        self.pairs: dict[Pair, Counter[str]] = {}

    def add_record(self, game: str, versions: Sequence[int], record: codec.Record) -> None:
        """Add how these versions played, unless their game cannot say."""
        counts = styles_of(record)
        if counts is not None:
            self.add_styles(game, versions, counts)

    def add_styles(
        self, game: str, versions: Sequence[int], counts_by_seat: Sequence[Counts]
    ) -> None:
        """Add how these versions played one match."""
        for version, counts in zip(versions, counts_by_seat, strict=True):
            key = StyleKey(version, game)
            self.seats[key] += 1
            self.styles.setdefault(key, Counter()).update(counts)

    def add_meetings(self, game: str, table: Sequence[Sat]) -> None:
        """Add one match of these bots. A bot does not meet itself."""
        for first, second in combinations(sorted(table), 2):
            if first.bot == second.bot:
                continue
            met = self.pairs.setdefault(
                Pair(first.bot, second.bot, game, len(table)), Counter(one_ahead=0, other_ahead=0)
            )
            met["met"] += 1
            met["one_ahead"] += first.place < second.place
            met["other_ahead"] += second.place < first.place

    def add(self, game: str, seats: Sequence[Seat], record: codec.Record) -> None:
        """Add a match that was just finished."""
        self.add_record(game, [seat.version_id for seat in seats], record)
        self.add_meetings(game, [Sat(seat.bot_id, seat.place or 1) for seat in seats])


def note(game: str, seats: Sequence[Seat], record: codec.Record) -> None:
    """Add a finished match, within the transaction that stores it."""
    sums = Sums()
    sums.add(game, seats, record)
    _write(sums)


class Counted(NamedTuple):
    """What some stored matches add."""

    match_ids: frozenset[int]
    sums: Sums


def count_stored(match_ids: Iterable[int]) -> Counted:
    """Count matches that were stored before. Many records take seconds, so that who reveals many
    matches at once counts them before the transaction, in which others wait: what is stored of a
    match does not change.
    """
    ids, sums = frozenset(match_ids), Sums()
    stored = Record.objects.filter(match__in=ids).select_related("match").order_by("pk")
    for one in stored.prefetch_related("match__seats").iterator(chunk_size=CHUNK):
        sums.add(one.match.game, list(one.match.seats.all()), codec.unpack(bytes(one.data)))
    return Counted(ids, sums)


def note_stored(match_ids: Iterable[int], ahead: Counted | None = None) -> None:
    """Add matches that were stored before, within the transaction that reveals them, as they were
    counted `ahead` if these are the same matches.
    """
    ids = frozenset(match_ids)
    counted = ahead if ahead and ahead.match_ids == ids else count_stored(ids)
    _write(counted.sums)


def _write(sums: Sums) -> None:
    _note_styles(sums)
    _note_pairs(sums)


def _note_styles(sums: Sums) -> None:
    """Add to the styles: the counts are a document, so it is read, changed and written back."""
    if not sums.styles:
        return
    lines = []
    for pk, key, matches, counts in _locked_styles(sorted(sums.styles)):
        total = in_order(Counter(counts) + sums.styles[key])
        lines.append((pk, matches + sums.seats[key], json.dumps(total)))
    table = Style._meta.db_table
    with connection.cursor() as cursor:
        for some in batched(lines):
            cursor.execute(
                f"update {table} set matches = total.column2,"
                f" counts = cast(total.column3 as {dialect.json_type()})"
                f" from (values {dialect.places(some)}) total where {table}.id = total.column1",
                list(chain.from_iterable(some)),
            )


def _locked_styles(keys: list[StyleKey]) -> list[tuple[int, StyleKey, int, Counts]]:
    """Return the rows of these keys, created where missing, locked until the transaction ends.

    Everybody creates and locks rows in one order, so that two matches with the same bots, stored at
    the same time, wait for each other and never deadlock.
    """
    styles = _lock_styles(keys)
    if len(styles) < len(keys):
        existing = {key for _, key, _, _ in styles}
        missing = [new_row(Style, key) for key in keys if key not in existing]
        Style.objects.bulk_create(missing, ignore_conflicts=True)
        styles = _lock_styles(keys)
    return styles


def _lock_styles(keys: list[StyleKey]) -> list[tuple[int, StyleKey, int, Counts]]:
    versions, games = sorted({key.version for key in keys}), sorted({key.game for key in keys})
    with connection.cursor() as cursor:
        cursor.execute(
            "select id, version_id, game, matches, counts"
            f" from {Style._meta.db_table} where version_id in {dialect.places([versions])}"
            f" and game in {dialect.places([games])} order by id {dialect.for_update()}",
            [*versions, *games],
        )
        rows = cursor.fetchall()
    wanted = set(keys)
    return [
        (pk, key, matches, dialect.read_json(counts))
        for pk, version, game, matches, counts in rows
        if (key := StyleKey(version, game)) in wanted
    ]


def _note_pairs(sums: Sums) -> None:
    """Add to the meetings: the database adds the numbers up, all pairs at once, in one order."""
    columns = ("one_id", "other_id", "game", "seat_count", *MET)
    lines: list[list[int | str]] = [
        [*pair, *(met[name] for name in MET)] for pair, met in sorted(sums.pairs.items())
    ]
    table = Meeting._meta.db_table
    with connection.cursor() as cursor:
        for some in batched(lines):
            cursor.execute(
                f"insert into {table} ({', '.join(columns)}) values {dialect.places(some)}"
                " on conflict (one_id, other_id, game, seat_count) do update set "
                + ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in MET),
                list(chain.from_iterable(some)),
            )


def batched(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield lines in parts that fit into one statement."""
    for start in range(0, len(lines), CHUNK):
        yield lines[start : start + CHUNK]


def new_row(model: type[Row], key: StyleKey | Pair) -> Row:
    """Return a row for this key that counts nothing yet."""
    foreign = {"version": "version_id", "one": "one_id", "other": "other_id"}
    return model(**{foreign.get(name, name): value for name, value in key._asdict().items()})


def pair_of(row: Meeting) -> Pair:
    """Return the key of a row."""
    return Pair(row.one_id, row.other_id, row.game, row.seat_count)


def in_order(counts: Counter[str]) -> Counts:
    """Return the counts as they are stored: by name, without zeros."""
    return {name: count for name, count in sorted(counts.items()) if count}

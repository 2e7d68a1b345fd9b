"""How bots play and whom they beat, kept as sums while matches are stored.

Pages read these few rows and never walk through matches. The rebuild counts everything
anew from the places and the records, so both must agree.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from league.matches import records
from league.matches.models import Meeting, Seat, Style
from league.matches.style import Counts, styles


class StyleKey(NamedTuple):
    """A version in a game."""

    version: int
    game: str


class Pair(NamedTuple):
    """Two bots at tables of one size; the one that was made first stands first."""

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

    def add_styles(self, game: str, versions: Sequence[int], counted: Sequence[Counts]) -> None:
        """One more match of these versions."""
        for version, counts in zip(versions, counted, strict=True):
            key = StyleKey(version, game)
            self.seats[key] += 1
            self.styles.setdefault(key, Counter()).update(counts)

    def add_meetings(self, game: str, table: Sequence[Sat]) -> None:
        """One more match of these bots. A bot does not meet itself."""
        for first, second in combinations(sorted(table), 2):
            if first.bot == second.bot:
                continue
            met = self.pairs.setdefault(
                Pair(first.bot, second.bot, game, len(table)), Counter(one_ahead=0, other_ahead=0)
            )
            met["met"] += 1
            met["one_ahead"] += first.place < second.place
            met["other_ahead"] += second.place < first.place

    def add(self, game: str, seats: Sequence[Seat], record: records.Record) -> None:
        """One more match that was just finished."""
        self.add_styles(game, [seat.version_id for seat in seats], styles(record))
        self.add_meetings(game, [Sat(seat.bot_id, seat.place or 1) for seat in seats])


def note(game: str, seats: Sequence[Seat], record: records.Record) -> None:
    """Add a finished match, within the transaction that stores it."""
    sums = Sums()
    sums.add(game, seats, record)
    _note_styles(sums)
    _note_pairs(sums)


def _note_styles(sums: Sums) -> None:
    rows = _locked(Style, sums.styles, StyleKey._fields)
    for row in rows:
        key = StyleKey(row.version_id, row.game)
        row.matches += sums.seats[key]
        row.counts = in_order(Counter(row.counts) + sums.styles[key])
    _write(rows, ["matches", "counts"])


def _note_pairs(sums: Sums) -> None:
    rows = _locked(Meeting, sums.pairs, Pair._fields)
    for row in rows:
        for name, count in sums.pairs[pair_of(row)].items():
            setattr(row, name, getattr(row, name) + count)
    _write(rows, ["met", "one_ahead", "other_ahead"])


Row = TypeVar("Row", Style, Meeting)
Key = TypeVar("Key", StyleKey, Pair)


def _locked(model: type[Row], keys: Iterable[Key], names: Sequence[str]) -> list[Row]:
    """The rows of these keys, made where missing, held until the end of the transaction.

    Rows are made in one order and then locked in one order by everybody, so that two matches with
    the same bots, stored at the same time, wait for each other and never in a circle.
    """
    wanted = sorted(keys)
    if not wanted:
        return []
    # All versions of a table, and all its pairs: together the values name these rows and no others.
    columns = zip(names, zip(*wanted, strict=True), strict=True)
    rows = model._default_manager.filter(**{f"{name}__in": set(found) for name, found in columns})
    known = set(rows.values_list(*names))
    missing = [new_row(model, key) for key in wanted if tuple(key) not in known]
    model._default_manager.bulk_create(missing, ignore_conflicts=True)
    return list(rows.select_for_update().order_by("pk"))


def _write(rows: list[Row], names: Sequence[str]) -> None:
    """Rows that are all there already; `bulk_update` takes several times as long for a few."""
    if rows:
        manager = type(rows[0])._default_manager
        manager.bulk_create(rows, update_conflicts=True, unique_fields=["pk"], update_fields=names)


def new_row(model: type[Row], key: Key) -> Row:
    """A row for this key that counts nothing yet."""
    foreign = {"version": "version_id", "one": "one_id", "other": "other_id"}
    return model(**{foreign.get(name, name): value for name, value in key._asdict().items()})


def pair_of(row: Meeting) -> Pair:
    """The key of a row."""
    return Pair(row.one_id, row.other_id, row.game, row.seat_count)


def in_order(counts: Counter[str]) -> Counts:
    """As they are stored: by name, without what did not happen."""
    return {name: count for name, count in sorted(counts.items()) if count}

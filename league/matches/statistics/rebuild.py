"""Counting all statistics again, to verify that every match is in the sums."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection, models, transaction

from league.matches.models import Meeting, Record, Seat, Style
from league.matches.records import codec
from league.matches.statistics.totals import (
    CHUNK,
    MET,
    Row,
    Sat,
    StyleKey,
    Sums,
    in_order,
    new_row,
    pair_of,
)

MAX_NAMED = 20
"""So many differences are listed; all are counted."""


@dataclass(slots=True)
class Rebuilt:
    """The result of a rebuild."""

    matches: int = 0
    differences: int = 0
    named: list[str] = field(default_factory=list)

    def differs(self, what: str) -> None:
        """Note a difference."""
        self.differences += 1
        if len(self.named) < MAX_NAMED:
            self.named.append(what)


@transaction.atomic
def rebuild(*, write: bool) -> Rebuilt:
    """Compare all sums with the matches; if `write`, repair what differs.

    Storing of matches waits meanwhile, so that none is counted twice or not at all.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                f"lock table {Style._meta.db_table}, {Meeting._meta.db_table} in exclusive mode"
            )
    result, sums = Rebuilt(), Sums()
    for game, table in _tables():
        sums.add_meetings(game, table)
        result.matches += 1
    for game, versions, record in _records():
        sums.add_record(game, versions, record)
    wrong_styles = _compare(
        Style.objects.all(),
        {key: (sums.seats[key], in_order(counts)) for key, counts in sums.styles.items()},
        lambda row: (StyleKey(row.version_id, row.game), (row.matches, row.counts)),
        result,
    )
    wrong_pairs = _compare(
        Meeting.objects.all(),
        {key: tuple(met[name] for name in MET) for key, met in sums.pairs.items()},
        lambda row: (pair_of(row), tuple(getattr(row, name) for name in MET)),
        result,
    )
    if write:
        _write(Style, wrong_styles, ("matches", "counts"))
        _write(Meeting, wrong_pairs, MET)
    return result


def _tables() -> Iterator[tuple[str, list[Sat]]]:
    """Yield the bots and places of every finished match that is not hidden."""
    seats = (
        Seat.objects.filter(finished_at__isnull=False, match__hidden=False)
        .order_by("match", "number")
        .values_list("match", "game", "bot", "place")
    )
    for _, rows in groupby(seats.iterator(chunk_size=CHUNK), itemgetter(0)):
        table = list(rows)
        yield table[0][1], [Sat(bot, place or 1) for _, _, bot, place in table]


def _records() -> Iterator[tuple[str, list[int], codec.Record]]:
    """Yield every record that is not hidden, with the versions in its seats."""
    records = Record.objects.filter(match__hidden=False).order_by("pk")
    records = records.prefetch_related("match__seats")
    for one in records.iterator(chunk_size=CHUNK):
        versions = [seat.version_id for seat in one.match.seats.all()]
        yield one.match.game, versions, codec.unpack(bytes(one.data))


def _compare(
    rows: models.QuerySet[Any],
    right: dict[Any, Any],
    read: Callable[[Any], tuple[Any, Any]],
    result: Rebuilt,
) -> dict[Any, Any]:
    """Return the keys with wrong sums, each with the right ones; None if it should not exist."""
    stored = dict(read(row) for row in rows.iterator(chunk_size=CHUNK))
    wrong = {
        key: right.get(key)
        for key in stored.keys() | right.keys()
        if stored.get(key) != right.get(key)
    }
    for key in sorted(wrong):
        result.differs(f"{rows.model._meta.model_name} {tuple(key)} is counted wrongly")
    return wrong


def _write(model: type[Row], wrong: dict[Any, Any], names: Sequence[str]) -> None:
    for key, right in wrong.items():
        row = model._default_manager.filter(**key._asdict())
        if right is None:
            row.delete()
            continue
        values = dict(zip(names, right, strict=True))
        if not row.update(**values):
            new = new_row(model, key)
            for name, value in values.items():
                setattr(new, name, value)
            new.save()

"""Who sits at the table of a match: read with one statement, as far as playing it needs."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model

from league.bots.models import Bot, BotVersion
from league.database import dialect
from league.matches.models import Match, Seat

M = TypeVar("M", bound=Model)


def _fields(model: type[Model], *names: str) -> tuple[str, ...]:
    """Return these fields in the order in which a row of the model is built."""
    return tuple(f.attname for f in model._meta.concrete_fields if f.attname in names)


_MATCH = _fields(
    Match, "id", "game", "options", "seed", "kind", "rated", "group", "hidden", "worker"
)
_SEAT = _fields(Seat, "id", "match_id", "number", "version_id", "bot_id", "game")
_VERSION = _fields(BotVersion, "id", "number", "source_id", "suspended_at")
_BOT = _fields(Bot, "id", "name", "slug", "notes_public")
_COLUMNS = ", ".join(
    f'{table}."{name}"'
    for table, names in (("m", _MATCH), ("s", _SEAT), ("v", _VERSION), ("b", _BOT))
    for name in names
)
_TABLE = f"""
select {_COLUMNS} from {Match._meta.db_table} m
join {Seat._meta.db_table} s on s.match_id = m.id
join {BotVersion._meta.db_table} v on v.id = s.version_id
join {Bot._meta.db_table} b on b.id = s.bot_id
where m.id = %s order by s.number
"""


def read(match_id: int) -> tuple[Match, list[Seat]]:
    """Return a match and its seats with their versions and bots. Other fields are deferred."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, [match_id])
        rows = cursor.fetchall()
    match = _build(Match, _MATCH, rows[0])
    match.options, match.group = dialect.read_json(match.options), dialect.read_uuid(match.group)
    return match, [_seat(row[len(_MATCH) :]) for row in rows]


def _seat(row: Sequence[Any]) -> Seat:
    seat = _build(Seat, _SEAT, row)
    seat.version = _build(BotVersion, _VERSION, row[len(_SEAT) :])
    seat.bot = _build(Bot, _BOT, row[len(_SEAT) + len(_VERSION) :])
    return seat


def _build(model: type[M], names: Sequence[str], row: Sequence[Any]) -> M:
    """Return a row of the model from the first values, one for each name."""
    return model.from_db(connection.alias, names, row[: len(names)])

"""A league in PostgreSQL made many times as large by copying its rows within the database.

Copies of matches have the same players or their twins, who have another name and nothing else of
their own, so that pages of bots and ladders grow with them.
"""

from collections.abc import Mapping

import psycopg
from psycopg import sql

# What changes in a copy of a row: `{bots}`, `{versions}`, ... is how far its numbers are moved.
_TWINS: Mapping[str, Mapping[str, str]] = {
    "bots_bot": {
        "id": "id + {bots}",
        "name": "name || ' ' || {number}",
        "slug": "slug || '-' || {number}",
        "active_id": "active_id + {versions}",
    },
    "bots_botversion": {"id": "id + {versions}", "bot_id": "bot_id + {bots}"},
    "bots_plays": {"id": "id + {plays}", "version_id": "version_id + {versions}"},
    "ladder_entry": {"id": "id + {entries}", "bot_id": "bot_id + {bots}"},
    "ladder_ladderrating": {
        "id": "id + {ratings}",
        "version_id": "version_id + {versions}",
        "inherited_from_id": "inherited_from_id + {versions}",
    },
    "ladder_ratingday": {
        "id": "id + {days}",
        "bot_id": "bot_id + {bots}",
        "version_id": "version_id + {versions}",
    },
    "ladder_tally": {"id": "id + {tallies}", "bot_id": "bot_id + {bots}"},
    "matches_style": {"id": "id + {styles}", "version_id": "version_id + {versions}"},
    "matches_meeting": {
        "id": "id + {meetings}",
        "one_id": "one_id + {bots}",
        "other_id": "other_id + {bots}",
    },
}
_MATCHES: Mapping[str, Mapping[str, str]] = {
    "matches_match": {"id": "id + {matches}", "ledger_position": "ledger_position + {rated}"},
    "matches_seat": {
        "id": "id + {seats}",
        "match_id": "match_id + {matches}",
        "bot_id": "bot_id + {bots}",
        "version_id": "version_id + {versions}",
    },
    "ladder_ratingchange": {
        "id": "id + {changes}",
        "match_id": "match_id + {matches}",
        "ledger_position": "ledger_position + {rated}",
        "bot_id": "bot_id + {bots}",
        "version_id": "version_id + {versions}",
    },
}
_NUMBERED = {
    "bots": "bots_bot",
    "versions": "bots_botversion",
    "plays": "bots_plays",
    "entries": "ladder_entry",
    "ratings": "ladder_ladderrating",
    "days": "ladder_ratingday",
    "tallies": "ladder_tally",
    "styles": "matches_style",
    "meetings": "matches_meeting",
    "matches": "matches_match",
    "seats": "matches_seat",
    "changes": "ladder_ratingchange",
}


def multiply(address: str, bots: int, matches: int) -> None:
    """So many times the bots and so many times the matches; each once is there already."""
    with psycopg.connect(address) as connection:
        last = {name: _last(connection, table) for name, table in _NUMBERED.items()}
        rated = connection.execute("select max(rated) from ladder_ladder").fetchone()
        last["rated"] = rated[0] if rated else 0
        for twin in range(1, bots):
            _copy(connection, _TWINS, last, {name: twin * most for name, most in last.items()})
        for copy in range(1, matches):
            twin = copy % bots
            moved = {name: copy * most for name, most in last.items()}
            moved |= {name: twin * last[name] for name in ("bots", "versions")}
            _copy(connection, _MATCHES, last, moved)
        connection.execute("update ladder_ladder set rated = %s", [last["rated"] * matches])
        for table in _NUMBERED.values():
            connection.execute(
                f"select setval(pg_get_serial_sequence('{table}', 'id'), max(id)) from {table}"
            )
        connection.commit()
        connection.execute("analyze")


def _last(connection: psycopg.Connection, table: str) -> int:
    found = connection.execute(f"select coalesce(max(id), 0) from {table}").fetchone()
    assert found is not None
    return int(found[0])


def _copy(
    connection: psycopg.Connection,
    tables: Mapping[str, Mapping[str, str]],
    last: Mapping[str, int],
    moved: Mapping[str, int],
) -> None:
    """Copy the rows that were there at first, with their numbers moved."""
    numbered = {table: name for name, table in _NUMBERED.items()}
    number = moved["bots"] // max(1, last["bots"]) + 1
    for table, changes in tables.items():
        columns = [
            column
            for (column,) in connection.execute(
                "select column_name from information_schema.columns where table_name = %s",
                [table],
            )
        ]
        values = [
            changes.get(column, f'"{column}"').format(**moved, number=number) for column in columns
        ]
        statement = sql.SQL("insert into {} ({}) select {} from {} where id <= {}").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, columns)),
            sql.SQL(", ".join(values)),
            sql.Identifier(table),
            sql.Literal(last[numbered[table]]),
        )
        connection.execute(statement)

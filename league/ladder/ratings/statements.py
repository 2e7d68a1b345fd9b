"""The statements that write ratings, for many rows at once. The caller holds the row of the ladder.

Plain SQL that SQLite and PostgreSQL both understand: the writer runs after every match.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db import connection

from league.ladder.models import Entry, LadderRating, RatingChange, RatingDay, Tally
from league.matches.models import Match

_LINES = RatingChange._meta.db_table
_RATINGS = LadderRating._meta.db_table
_ENTRIES = Entry._meta.db_table
_DAYS = RatingDay._meta.db_table
_TALLIES = Tally._meta.db_table
_MATCHES = Match._meta.db_table

APPEND_LINES = f"""
    INSERT INTO {_LINES} (ladder_id, ledger_position, match_id, seat, version_id, bot_id,
        mu_before, sigma_before, mu, sigma, expected, created_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
REPAIR_LINES = f"""
    UPDATE {_LINES} SET mu_before = %s, sigma_before = %s, mu = %s, sigma = %s, expected = %s
    WHERE id = %s
"""
UPDATE_RATINGS = f"UPDATE {_RATINGS} SET mu = %s, sigma = %s, matches = %s WHERE id = %s"
NUMBER_MATCHES = f"UPDATE {_MATCHES} SET ledger_position = %s WHERE id = %s"
COUNT_ENTRIES = f"""
    UPDATE {_ENTRIES} SET matches = matches + %s, firsts = firsts + %s, faulty = faulty + %s
    WHERE ladder_id = %s AND bot_id = %s
"""
ADD_TALLIES = f"""
    INSERT INTO {_TALLIES} (ladder_id, bot_id, seat_count, matches, firsts, faulty)
    VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (ladder_id, bot_id, seat_count) DO UPDATE SET
        matches = {_TALLIES}.matches + excluded.matches,
        firsts = {_TALLIES}.firsts + excluded.firsts,
        faulty = {_TALLIES}.faulty + excluded.faulty
"""
PUT_DAYS = f"""
    INSERT INTO {_DAYS} (ladder_id, bot_id, day, version_id, mu, sigma, matches)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (ladder_id, bot_id, day) DO UPDATE SET
        version_id = excluded.version_id, mu = excluded.mu, sigma = excluded.sigma,
        matches = excluded.matches
"""


def execute(statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Execute a statement once for each row, in this order."""
    if values := list(rows):
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)


def moment(value: datetime) -> Any:
    """Return a point in time as the database takes it."""
    return connection.ops.adapt_datetimefield_value(value)


def day(value: date) -> Any:
    """Return a day as the database takes it."""
    return connection.ops.adapt_datefield_value(value)

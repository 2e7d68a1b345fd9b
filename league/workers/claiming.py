"""Claiming the next match of a lane: one statement, which only one worker can win."""

from functools import cache
from uuid import uuid4

from django.db import connection

from league.database import dialect
from league.jobs import leases
from league.matches.models import Match
from league.workers.fleet import MAY_TAKE_JOBS

_MATCHES = Match._meta.db_table


def claim(worker: str, lane: str) -> leases.Lease | None:
    """Claim the next match of a lane, and return its lease; None if there is none, or if this
    worker may take no jobs.
    """
    key = uuid4()
    with connection.cursor() as cursor:
        cursor.execute(
            _statement(connection.vendor, leases.LEASE_SECONDS),
            [dialect.uuid_value(key), worker, lane, worker],
        )
        row = cursor.fetchone()
    return leases.Lease(row[0], key, row[1]) if row else None


@cache
def _statement(_vendor: str, lease_seconds: float) -> str:
    return f"""
    update {_MATCHES} set status = 'running', attempt = attempt + 1, lease = %s, worker = %s,
        lease_until = {dialect.later(lease_seconds)}, started_at = {dialect.now()}
    where status = 'queued' and id = (
        select id from {_MATCHES} where status = 'queued' and lane = %s
        order by priority, id limit 1 {dialect.skip_locked()}
    ) and {MAY_TAKE_JOBS}
    returning id, attempt
    """

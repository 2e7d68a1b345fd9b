"""Storing the result of a match, once."""

from itertools import chain

from django.db import connection

from league.bots import services as bots
from league.database import dialect
from league.database.packing import printed_text
from league.database.transactions import atomic_with_retries, persist
from league.jobs import leases
from league.matches import bench_rule, services
from league.matches.models import Fault, Match, Record, Seat, SeatLog
from league.matches.records import codec
from league.matches.statistics import totals
from league.workers import fleet
from runners import match as runner
from runners.box.modes import in_force


def store(
    lease: leases.Lease,
    match: Match,
    seats: list[Seat],
    result: runner.MatchResult,
    duration_ms: int,
) -> bool:
    """Store everything in one transaction, if the lease is still held. Return whether it was.

    Locks are taken in one order, as ARCHITECTURE.md says.
    """
    assert result.record is not None
    public, notes = codec.split_notes(result.record, [seat.bot.notes_public for seat in seats])
    data = codec.pack(public)

    @atomic_with_retries
    def write() -> bool:
        services.lock_group(match)
        everybody_forfeited = len(result.forfeits) == len(seats)
        match.rated = match.rated and not everybody_forfeited and in_force().rated
        match.decisions, match.fault_count = result.decisions, len(result.faults)
        match.duration_ms, match.rules = duration_ms, public["rules"]
        if not _finish(match, lease):
            return False
        _insert_record(match, data, public["digest"])
        _store_seats(match, seats, result, public)
        _store_logs(seats, result, notes)
        if result.faults or match.hidden:
            # All bots before any is written: revealing a deal may concern bots of other matches.
            bots.lock_in_order({seat.bot_id for seat in seats})
        _store_faults(seats, result)
        if match.hidden:
            services.reveal(match)
        else:
            totals.note(match.game, seats, public)
        fleet.finished(match.worker)
        return True

    return persist(write)


def _finish(match: Match, lease: leases.Lease) -> bool:
    """Store how the match ended, if the lease is still held. Return whether it was."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"update {Match._meta.db_table} set status = 'finished', finished_at = {dialect.now()},"
            " decisions = %s, duration_ms = %s, fault_count = %s, rules = %s,"
            " rated = %s, lease = null, lease_until = null"
            " where id = %s and status = 'running' and lease = %s and attempt = %s"
            " returning finished_at, worker, hidden",
            [
                *(match.decisions, match.duration_ms, match.fault_count, match.rules, match.rated),
                *(lease.pk, dialect.uuid_value(lease.key), lease.attempt),
            ],
        )
        row = cursor.fetchone()
    if row is None:
        return False
    # Kept as the database has it: only other statements use this time.
    match.finished_at, match.worker, match.hidden = row
    return True


def _insert_record(match: Match, data: bytes, digest: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"insert into {Record._meta.db_table} (match_id, data, digest, compact)"
            " values (%s, %s, %s, %s)",
            [match.pk, data, digest, False],
        )


def _store_seats(
    match: Match, seats: list[Seat], result: runner.MatchResult, record: codec.Record
) -> None:
    faulty = {fault.seat for fault in result.faults}
    times = codec.think_times(record)
    for seat, (think_ms, slowest_ms) in zip(seats, times, strict=True):
        seat.finished_at = match.finished_at
        seat.place = result.outcome.placements[seat.number]
        seat.score = result.outcome.scores[seat.number]
        seat.forfeited = seat.number in result.forfeits
        seat.faulty = seat.number in faulty
        seat.think_ms, seat.slowest_ms = think_ms, slowest_ms
    values = [
        (s.pk, s.place, s.score, s.forfeited, s.faulty, s.think_ms, s.slowest_ms) for s in seats
    ]
    table = Seat._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"update {table} set finished_at = %s, place = ended.column2, score = ended.column3,"
            " forfeited = ended.column4, faulty = ended.column5, think_ms = ended.column6,"
            f" slowest_ms = ended.column7 from (values {dialect.places(values)}) ended"
            f" where {table}.id = ended.column1",
            [match.finished_at, *chain.from_iterable(values)],
        )


def _store_logs(seats: list[Seat], result: runner.MatchResult, notes: codec.Notes) -> None:
    cut = {notice.seat for notice in result.notices}
    SeatLog.objects.bulk_create(
        SeatLog(
            seat=seat,
            printed=printed_text(result.logs[seat.number]),
            cut=seat.number in cut,
            marks=result.marks[seat.number] if result.logs[seat.number] else [],
            notes=notes[seat.number],
        )
        for seat in seats
        if result.logs[seat.number] or notes[seat.number]
    )


def _store_faults(seats: list[Seat], result: runner.MatchResult) -> None:
    if not result.faults:
        return
    Fault.objects.bulk_create(
        Fault(
            seat=seats[fault.seat],
            version_id=seats[fault.seat].version_id,
            step=fault.step,
            code=fault.code,
            detail=fault.detail.replace("\0", "␀")[:500],
            traceback=(fault.traceback or "").replace("\0", "␀"),
        )
        for fault in result.faults
    )
    codes: dict[int, set[str]] = {}
    for fault in result.faults:
        codes.setdefault(fault.seat, set()).add(fault.code)
    for number, codes_of_seat in sorted(codes.items(), key=lambda item: seats[item[0]].bot_id):
        bench_rule.apply(seats[number], codes_of_seat)

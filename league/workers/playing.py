"""Playing a claimed match in boxes and storing what came out, once."""

from collections import Counter
from time import perf_counter

from django.conf import settings
from django.db.models.functions import Now

from engine.registry import GAMES
from league.bots import services as bots
from league.bots.models import BotVersion
from league.database import rows
from league.database.packing import printed_text
from league.database.transactions import atomic_with_retries, persist
from league.jobs import leases
from league.matches import revealing, services
from league.matches.models import Fault, Match, Record, Seat, SeatLog
from league.matches.records import codec
from league.matches.statistics import totals
from league.workers import fleet, quarantine
from runners import match as runner
from runners.box.modes import in_force
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.failures import InfrastructureError

BENCH_FAULTY = 3
BENCH_LAST = 10
"""So many faulty matches of so many bench a version."""
AT_ONCE = "E307"
_TIMES = ("", "once", "twice")


def play(lease: leases.Lease, pool: Pool) -> bool:
    """Play it with no transaction open. Whether its result was stored."""
    match = Match.objects.get(pk=lease.pk)
    seats = list(match.seats.select_related("version__source", "bot").defer("version__steps"))
    suspended = any(seat.version.suspended_at for seat in seats)
    if suspended and match.kind != Match.Kind.TOURNAMENT:
        # It was made while staff took the version out.
        services.cancel_claimed(lease, "a version at this table is suspended")
        return False
    begun = perf_counter()
    try:
        with boxed_players(
            [_code(seat.version) for seat in seats], match.seed, settings.LIMITS, pool=pool
        ) as players:
            pool.fill()
            played = runner.play(
                GAMES[match.game],
                players,
                match.seed,
                options=match.options,
                seats=[
                    runner.describe(seat.bot.name, seat.bot.slug, seat.version.number)
                    for seat in seats
                ],
                recorded=True,
            )
    except InfrastructureError as failure:
        fleet.failed(match.worker, match.pk)
        services.give_back(lease, str(failure))
        return False
    if lease.attempt < leases.MAX_ATTEMPTS and quarantine.doubts(match.worker, played.faults):
        services.give_back(lease, "its worker makes bots slow")
        return False
    return store(lease, match, seats, played, round((perf_counter() - begun) * 1000))


def _code(version: BotVersion) -> str:
    """Return what runs for a version. A suspended one forfeits the games of its tournament: if they
    were void, being suspended could improve its place and would take away what others can win.
    """
    return "" if version.suspended_at else version.source.text


def store(
    lease: leases.Lease,
    match: Match,
    seats: list[Seat],
    played: runner.MatchResult,
    duration_ms: int,
) -> bool:
    """Write everything in one transaction, if the lease is still ours.

    Locks are taken in one order, as ARCHITECTURE.md says.
    """
    assert played.record is not None
    public, notes = codec.split_notes(played.record, [seat.bot.notes_public for seat in seats])
    data = codec.pack(public)
    interesting = codec.excitement(public)

    @atomic_with_retries
    def write() -> bool:
        services.lock_group(match)
        everybody_forfeited = len(played.forfeits) == len(seats)
        stored = leases.held(Match, lease).update(
            status=Match.Status.FINISHED,
            finished_at=Now(),
            decisions=played.decisions,
            duration_ms=duration_ms,
            fault_count=len(played.faults),
            excitement=interesting,
            rules=public["rules"],
            rated=match.rated and not everybody_forfeited and in_force().rated,
            lease=None,
            lease_until=None,
        )
        if not stored:
            return False
        match.refresh_from_db(fields=["finished_at", "rated", "worker", "hidden"])
        Record.objects.create(match=match, data=data, digest=public["digest"])
        _store_seats(match, seats, played, public)
        _store_logs(seats, played, notes)
        if played.faults or match.hidden:
            # All of them before any is written: showing a deal may concern others than this match.
            bots.lock_in_order({seat.bot_id for seat in seats})
        _store_faults(seats, played)
        if match.hidden:
            services.reveal(match)
        else:
            totals.note(match.game, seats, public)
        fleet.finished(match.worker)
        return True

    return persist(write)


def _store_seats(
    match: Match, seats: list[Seat], played: runner.MatchResult, record: codec.Record
) -> None:
    faulty = {fault.seat for fault in played.faults}
    times = codec.think_times(record)
    for seat, (think_ms, slowest_ms) in zip(seats, times, strict=True):
        seat.finished_at = match.finished_at
        seat.place = played.outcome.placements[seat.number]
        seat.score = played.outcome.scores[seat.number]
        seat.forfeited = seat.number in played.forfeits
        seat.faulty = seat.number in faulty
        seat.think_ms, seat.slowest_ms = think_ms, slowest_ms
    rows.update(
        Seat,
        seats,
        [
            *("finished_at", "place", "score", "forfeited"),
            *("faulty", "think_ms", "slowest_ms"),
        ],
    )


def _store_logs(seats: list[Seat], played: runner.MatchResult, notes: codec.Notes) -> None:
    cut = {notice.seat for notice in played.notices}
    SeatLog.objects.bulk_create(
        SeatLog(
            seat=seat,
            printed=printed_text(played.logs[seat.number]),
            cut=seat.number in cut,
            marks=played.marks[seat.number] if played.logs[seat.number] else [],
            notes=notes[seat.number],
        )
        for seat in seats
        if played.logs[seat.number] or notes[seat.number]
    )


def _store_faults(seats: list[Seat], played: runner.MatchResult) -> None:
    if not played.faults:
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
        for fault in played.faults
    )
    codes: dict[int, set[str]] = {}
    for fault in played.faults:
        codes.setdefault(fault.seat, set()).add(fault.code)
    for number, seen in sorted(codes.items(), key=lambda item: seats[item[0]].bot_id):
        _judge(seats[number], AT_ONCE in seen)


def _judge(seat: Seat, at_once: bool) -> None:
    """The bench rule: a version that keeps failing does not play on."""
    if at_once:
        because = f"it tried to leave the box in match {seat.match_id} ({AT_ONCE})"
        revealing.bench(seat.version, because, [seat.match_id])
        return
    recent = Seat.objects.filter(version=seat.version_id).exclude(finished_at=None)
    # Not what was read before the match: its owner may have taken it from the bench meanwhile.
    seat.version.refresh_from_db(fields=["activated_at"])
    if seat.version.activated_at:
        recent = recent.filter(finished_at__gte=seat.version.activated_at)
    latest = recent.order_by("-finished_at", "-match").values_list("pk", "match", "faulty")
    last = list(latest[:BENCH_LAST])
    faulty = {pk: match for pk, match, was_faulty in last if was_faulty}
    if len(faulty) < BENCH_FAULTY:
        return
    first_codes = Fault.objects.filter(seat__in=faulty).values_list("seat", "code").distinct()
    counted = Counter(code for _, code in first_codes)
    told = ", ".join(
        f"{code} {_TIMES[count] if count < 3 else f'{count} times'}"
        for code, count in counted.most_common()
    )
    because = f"{len(faulty)} faults in its last {len(last)} matches ({told})"
    revealing.bench(seat.version, because, faulty.values())

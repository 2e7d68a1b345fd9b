"""Playing a claimed match in boxes. What came out is stored by `storing`."""

from time import perf_counter

from django.conf import settings

from engine.registry import GAMES
from league.bots.bundles import playing as bundles
from league.bots.models import BotVersion
from league.jobs import leases
from league.matches import services
from league.matches.models import Match
from league.workers import fleet, seating, storing
from league.workers.trust import quarantine
from runners import match as runner
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.bundles.unpacked import Code
from runners.failures import InfrastructureError


def play(lease: leases.Lease, pool: Pool) -> bool:
    """Play a match with no transaction open. Return whether its result was stored."""
    match, seats = seating.read(lease.pk)
    suspended = any(seat.version.suspended_at for seat in seats)
    if suspended and match.kind != Match.Kind.TOURNAMENT:
        # It was queued while staff suspended the version.
        services.cancel_claimed(lease, "a version at this table is suspended")
        return False
    started = perf_counter()
    try:
        with boxed_players(
            [_code(seat.version) for seat in seats], match.seed, settings.LIMITS, pool=pool
        ) as players:
            pool.fill()
            result = runner.play(
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
    except InfrastructureError as error:
        fleet.failed(match.worker, match.pk)
        services.give_back(lease, str(error))
        return False
    if lease.attempt < leases.MAX_ATTEMPTS and quarantine.doubts(match.worker, result.faults):
        services.give_back(lease, "its worker makes bots slow")
        return False
    duration_ms = round((perf_counter() - started) * 1000)
    return storing.store(lease, match, seats, result, duration_ms)


def _code(version: BotVersion) -> Code:
    """Return the code that runs for a version.

    A suspended version forfeits the games of its tournament: if they were void, its suspension
    could improve its place and would take away points that others could win.
    """
    return "" if version.suspended_at else bundles.code(version.source_id)

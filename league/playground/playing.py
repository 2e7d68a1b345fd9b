"""Playing a claimed run in boxes: the author's bot and the house bots, as in a match of the league.

Nothing of it is rated or counted.
"""

from functools import partial
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from bots_sdk import house
from engine.registry import GAMES
from league.database.packing import pack, printed_text
from league.database.transactions import persist
from league.jobs import leases
from league.playground import services
from league.playground.models import PlaygroundRun
from runners import match as runner
from runners.box.pool import Pool
from runners.boxed import FILE, boxed_players
from runners.failures import InfrastructureError
from runners.stopwatch import Stopwatch, TimeIsUp
from runners.upload.fault_values import fault_values
from runners.upload.source import read_outline

SEAT = 0
"""The seat of the author's bot."""
BOT_NAME = "your bot"
MATCH_SECONDS = 15.0
"""A whole match, all seats together: somebody else waits for the place."""
MAX_MATCH_SECONDS = 30.0
"""The same, however busy the machine is."""


def run(lease: leases.Lease, pool: Pool) -> bool:
    """Play a run with no transaction open. Return whether its result was stored."""
    row = PlaygroundRun.objects.filter(pk=lease.pk).first()
    if row is None:
        # It was removed meanwhile.
        return True
    started = perf_counter()
    try:
        values = _values(_play(row, pool), row.code)
    except TimeIsUp:
        values = {"faults": [_too_long()], "forfeited": True}
    except InfrastructureError:
        services.give_back(lease)
        return False
    values["duration_ms"] = round((perf_counter() - started) * 1000)
    return persist(partial(_store, lease, values))


def _play(row: PlaygroundRun, pool: Pool) -> runner.MatchResult:
    sources = [row.code, *(house.code(row.game, name) for name in row.opponents)]
    with boxed_players(sources, row.seed, settings.LIMITS, pool=pool) as players:
        pool.fill()
        return runner.play(
            GAMES[row.game],
            players,
            row.seed,
            seats=[runner.describe(name) for name in (BOT_NAME, *row.opponents)],
            recorded=True,
            budget=Stopwatch(MATCH_SECONDS, MAX_MATCH_SECONDS),
        )


def _values(result: runner.MatchResult, code: str) -> dict[str, Any]:
    """Return the fields of a finished run."""
    printed = result.logs[SEAT]
    return {
        "place": result.outcome.placements[SEAT],
        "score": result.outcome.scores[SEAT],
        "forfeited": SEAT in result.forfeits,
        "decisions": len(result.thought_ms[SEAT]),
        "slowest_ms": round(max(result.thought_ms[SEAT], default=0.0), 1),
        "faults": [_fault(fault, code) for fault in result.faults if fault.seat == SEAT],
        "record": pack(result.record or {}),
        "printed": printed_text(printed),
        "cut": any(notice.seat == SEAT for notice in result.notices),
        "marks": result.marks[SEAT] if printed else [],
    }


def _fault(fault: runner.Fault, code: str) -> dict[str, Any]:
    """Return a fault as it is stored: with all that its message says."""
    outline = read_outline(code)
    values = fault_values(fault, outline, FILE)
    if values["line"] is None and fault.asked:
        values["line"] = outline.lines.get(outline.method_for(fault.asked.decision))
    return {
        "code": fault.code,
        "step": fault.step,
        "values": {
            name: _storable(value) if isinstance(value, str) else value
            for name, value in values.items()
        },
        "traceback": _storable(fault.traceback or ""),
    }


def _too_long() -> dict[str, Any]:
    seconds = f"{MATCH_SECONDS:g} s"
    reason = f"within the {seconds} that the playground has for a whole match"
    return {"code": "E302", "step": None, "values": {"reason": reason}, "traceback": ""}


def _storable(text: str) -> str:
    """Return text that every database takes: no NUL, no half of a surrogate pair."""
    return printed_text(text.encode("utf-8", "replace"))


def _store(lease: leases.Lease, values: dict[str, Any]) -> bool:
    return bool(
        leases.held(PlaygroundRun, lease).update(
            status=PlaygroundRun.Status.FINISHED,
            finished_at=Now(),
            lease=None,
            lease_until=None,
            **values,
        )
    )

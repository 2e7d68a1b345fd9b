"""The smoke matches of a check: kept for the owner of the bot, and forgotten with the logs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from league.bots.models import BotVersion, SmokeMatch
from league.database.packing import pack, printed_text
from runners.match import MatchResult

SEAT = 0
"""The seat of the bot that is checked."""


def store(version: BotVersion, matches: Mapping[str, MatchResult]) -> None:
    """Store the matches of a check, one for each game that it reached."""
    SmokeMatch.objects.bulk_create(
        _row(version, game, match) for game, match in matches.items() if match.record
    )


def _row(version: BotVersion, game: str, match: MatchResult) -> SmokeMatch:
    fault = match.faults[0] if match.faults else None
    printed = match.logs[SEAT]
    return SmokeMatch(
        version=version,
        game=game,
        seat_count=len(match.outcome.placements),
        place=match.outcome.placements[SEAT],
        score=match.outcome.scores[SEAT],
        slowest_ms=round(max(match.thought_ms[SEAT], default=0.0), 1),
        fault=fault.code if fault else "",
        fault_step=fault.step if fault else None,
        record=pack(match.record or {}),
        printed=printed_text(printed),
        cut=bool(match.notices),
        marks=match.marks[SEAT] if printed else [],
    )


def forget(before: datetime, limit: int) -> int:
    """Remove the records of old ones, at most `limit` per call. Their results stay."""
    old = SmokeMatch.objects.filter(created_at__lt=before, kept=True)
    pks = list(old.order_by("created_at").values_list("pk", flat=True)[:limit])
    empty: dict[str, Any] = {"kept": False, "record": b"", "printed": "", "marks": []}
    return SmokeMatch.objects.filter(pk__in=pks).update(**empty)

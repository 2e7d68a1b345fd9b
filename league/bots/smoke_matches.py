"""The smoke matches of a check: kept for the owner of the bot, and forgotten with the logs."""

from collections.abc import Mapping
from datetime import datetime

from league.bots.models import BotVersion, SmokeMatch
from league.database.packing import pack, printed_text
from runners.match import MatchResult

SEAT = 0
"""Where the bot that is checked sits."""


def keep(version: BotVersion, played: Mapping[str, MatchResult]) -> None:
    """Store the matches of a check, one for each game it came to."""
    SmokeMatch.objects.bulk_create(
        _row(version, game, match) for game, match in played.items() if match.record
    )


def _row(version: BotVersion, game: str, played: MatchResult) -> SmokeMatch:
    fault = played.faults[0] if played.faults else None
    printed = played.logs[SEAT]
    return SmokeMatch(
        version=version,
        game=game,
        seat_count=len(played.outcome.placements),
        place=played.outcome.placements[SEAT],
        score=played.outcome.scores[SEAT],
        slowest_ms=round(max(played.thought_ms[SEAT], default=0.0), 1),
        fault=fault.code if fault else "",
        fault_step=fault.step if fault else None,
        record=pack(played.record or {}),
        printed=printed_text(printed),
        cut=bool(played.notices),
        marks=played.marks[SEAT] if printed else [],
    )


def forget(before: datetime, most: int) -> int:
    """Drop what could be watched of old ones, a bounded part a call. Their results stay."""
    old = SmokeMatch.objects.filter(created_at__lt=before, kept=True)
    some = list(old.order_by("created_at").values_list("pk", flat=True)[:most])
    nothing = {"kept": False, "record": b"", "printed": "", "marks": []}
    return SmokeMatch.objects.filter(pk__in=some).update(**nothing)

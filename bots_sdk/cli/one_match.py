"""One match for people: how it went from phase to phase, and how the first bot did."""

from collections.abc import Iterator

from bots_sdk.cli.match_request import MatchRequest
from bots_sdk.cli.output import plural, say
from bots_sdk.local.matches import FinishedMatch
from engine.facets.statistics import decisions
from engine.narration import ordinal
from engine.record.recorder import Record
from engine.registry import presentation_of
from runners.limits import DEFAULT


def show_match(request: MatchRequest, finished: FinishedMatch) -> None:
    """Print the match, seen from the first seat."""
    document = finished.result.record
    assert document is not None
    names = [bot.name for bot in request.bots]
    seats = len(names)
    others = ", ".join(names[1:])
    say(f"{request.game.name}, {seats} seats, seed {request.seed}   {names[0]} vs {others}")
    for line in standings(document, names):
        say(f"  {line}")
    place = finished.result.outcome.placements[0]
    faults = sum(fault.seat == 0 for fault in finished.result.faults)
    fault_text = plural(faults, "fault") if faults else "No faults"
    say(f"Result: {ordinal(place)} of {seats}. {_times(finished, document)}. {fault_text}.")


def _times(finished: FinishedMatch, record: Record) -> str:
    """Return how often the first seat decided and its slowest decision.

    Limits are about computing time, and only bots that play by a file have any.
    """
    cpu_ms = finished.result.cpu_ms[0]
    if cpu_ms:
        count = plural(len(cpu_ms), "decision")
        return f"{count}, slowest {max(cpu_ms):.1f} ms (limit {DEFAULT.decision_cpu_ms} ms)"
    times = [ms for seat, ms in decisions(record) if seat == 0]
    slowest = f", slowest {max(times):.1f} ms" if times else ""
    return f"{plural(len(times), 'decision')}{slowest}"


def standings(record: Record, names: list[str]) -> Iterator[str]:
    """Yield a line for every milestone of the match."""
    presentation = presentation_of(record["game"])
    scores = presentation.scores(record)
    for milestone in presentation.milestones(record["steps"]):
        standing = "  ".join(
            f"{name} {presentation.format_score(score)}"
            for name, score in zip(names, scores[milestone.i], strict=False)
        )
        yield f"{milestone.name}  {standing}"

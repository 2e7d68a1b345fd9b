"""What a wall tells of a match that has come some way: values for the table, and the captions.

Everything is computed from the record cut off there. A game whose presentation cannot cope with a
match that is not over is shown by the plain one.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from bots_sdk.viewer.data import data
from bots_sdk.viewer.moments import faults_of
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import badge, sentence
from bots_sdk.viewer.sheets import sheets
from engine.facets.insight import Remark
from engine.facets.presentation import Presentation
from engine.game import seat_letter
from engine.narration import ordinal
from engine.record.insight import NO_INSIGHT, Observation, observe
from engine.record.reading import RecordError
from engine.record.types import AnyRecord, AnyStep
from engine.registry import presentation_of
from league.stage.premiere.cutting import cut

Values = dict[str, Any]
_LEFT_OUT = frozenset({"times", "highlights", "title", "rounds", "marks", "jump"})
"""What only a viewer that can jump needs. The clock has the durations of the steps."""
_log = logging.getLogger(__name__)


def observation_of(record: AnyRecord) -> Observation:
    """Return what can be said beside the record, step by step; nothing if it cannot be rerun."""
    try:
        return observe(record)
    except RecordError:
        return Observation(NO_INSIGHT, [0] * len(record["steps"]))


def values(record: AnyRecord, observation: Observation, title: str, count: int) -> Values:
    """Return what the table shows besides its steps, after the first `count` of them."""
    try:
        return _values(Replay(cut(record, count), observation.until(count), title, "", ""))
    except Exception:
        # Games come from outside, too, and were only ever asked about whole matches.
        _log.exception("%s cannot present a match that goes on", record["game"])
        return _values(_PlainlyTold(cut(record, count), NO_INSIGHT, title, "", ""))


class _PlainlyTold(Replay):
    """A match so far, in the words that every game has."""

    presentation = Presentation()


def _values(replay: Replay) -> Values:
    record, presentation = replay.record, replay.presentation
    chapters, rounds = presentation.chapters(record["steps"]), presentation.rounds(record["steps"])
    known: Values = json.loads(data(replay, chapters, rounds))
    if not is_over(record):
        _forget_result(known)
    return {name: value for name, value in known.items() if name not in _LEFT_OUT} | {
        "faults": [{"step": f["step"], "seat": f["seat"]} for f in record["faults"]],
        "forfeits": record["outcome"]["forfeits"],
        "sheets": sheets(replay),
        "result": _result(record, presentation) if is_over(record) else "",
    }


def is_over(record: AnyRecord) -> bool:
    """Return whether a record has its last step."""
    return bool(record["steps"][-1]["t"] == "end")


def _forget_result(known: Values) -> None:
    """Drop the line that shows final scores of games that have none before the end."""
    if known["scoreField"] is None:
        known["scores"] = []


def captions(record: AnyRecord, observation: Observation) -> list[str]:
    """Return the HTML of each step's caption. A remark is made when it is known, not before."""
    presentation, names = presentation_of(record["game"]), _names(record)
    counts, remarks = observation.remark_counts, observation.insight["remarks"]
    return [
        _caption(step, remarks[before:known], names, presentation)
        for step, before, known in zip(record["steps"], [0, *counts], counts, strict=False)
    ]


def _caption(
    step: AnyStep, remarks: Sequence[Remark], names: Sequence[str], presentation: Presentation
) -> str:
    said = sentence(step["text"], step, names, presentation)
    faults = "".join(
        f' <em class="tv-fault">{badge(seat)} failed ({escape(code)}): the league moved.</em>'
        for seat, code in faults_of(step)
    )
    more = "".join(
        f' <em class="tv-remark">{sentence(remark["text"], step, names, presentation)}</em>'
        for remark in remarks
    )
    return f"<span>{said}</span>{faults}{more}"


def _names(record: AnyRecord) -> list[str]:
    return [seat["name"] for seat in record["seats"]]


def _result(record: AnyRecord, presentation: Presentation) -> str:
    """Return the final ranking as a list."""
    places, scores = record["outcome"]["placements"], record["outcome"]["scores"]
    order = sorted(range(len(places)), key=places.__getitem__)
    lines = (
        f'<li><span class="kv-place">{ordinal(places[seat])}</span> {badge(seat)} '
        f"{escape(record['seats'][seat]['name'])} "
        f"<b>{escape(presentation.format_short(scores[seat]))}</b></li>"
        for seat in order
    )
    return f'<ol class="kv-result">{"".join(lines)}</ol>'


def seat_lines(record: AnyRecord, known: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return letter, name and score of each seat, for a page without the table."""
    scores = known["scores"][-1][1] if known["scores"] else [""] * len(record["seats"])
    letters = [seat_letter(seat) for seat in range(len(record["seats"]))]
    return list(zip(letters, _names(record), scores, strict=True))

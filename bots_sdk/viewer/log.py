"""The log of a match: every step as a line, readable without JavaScript as the whole story."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape

from bots_sdk.viewer.moments import faults_of
from bots_sdk.viewer.neutral import chapter_in_time
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import badge, duration, sentence
from engine.facets.insight import Remark
from engine.facets.presentation import Presentation, Start
from engine.game import Seat, seat_letter
from engine.record.recorder import Record
from engine.record.types import AnyStep

MAX_LETTERS = 150
"""A longer sentence is set smaller in the caption."""
SLOW_SHARE = 0.5
"""The share of the limit above which a decision is marked as slow."""
_FILTERS = {"scoring": "scoring", "fault": "faults", "note": "with bot notes"}
"""The filters that every game has: kinds of lines with their labels."""

Kinds = Sequence[list[str]]
"""For each step, by which filters its line is shown."""


def log(replay: Replay, chapters: Sequence[Start], rounds: Sequence[Start]) -> str:
    """Return lines grouped by chapter, and the filters that have something to show."""
    steps = replay.record["steps"]
    kinds = [_kinds(step, replay.presentation) for step in steps]
    writer = _Writer(replay, {start.i for start in rounds}, kinds)
    ends = [start.i for start in chapters[1:]] + [len(steps)]
    groups = [
        f"<section>{_heading(replay, start)}<ol>"
        + "".join(map(writer.line, steps[start.i : end]))
        + "</ol></section>"
        for start, end in zip(chapters, ends, strict=True)
    ]
    return (
        f'<div class="kv-log-head"><h2>Log</h2>{_filters(replay, kinds)}</div>'
        '<div class="kv-log" tabindex="0" role="region" aria-label="Log of the match">'
        f"{''.join(groups)}</div>"
    )


def _heading(replay: Replay, start: Start) -> str:
    attributes, words = chapter_in_time(replay, start)
    return f"<h3{attributes}>{words}</h3>"


def _filters(replay: Replay, kinds: Kinds) -> str:
    record, presentation = replay.record, replay.presentation
    present = {kind for of_step in kinds for kind in of_step}
    labels = dict(presentation.filters) | _FILTERS
    choices = {"": "all"} | {kind: text for kind, text in labels.items() if kind in present}
    choices |= {f"s{s}": f"seat {seat_letter(s)}" for s in range(len(record["seats"]))}
    options = "".join(
        f'<option value="{escape(kind)}">{escape(text)}</option>' for kind, text in choices.items()
    )
    return f'<label>show <select class="kv-filter">{options}</select></label>'


def _kinds(step: AnyStep, presentation: Presentation) -> list[str]:
    """Return by which filters a line is shown."""
    kinds = [f"s{seat}" for seat in _seats(step)]
    if own := presentation.filter_of(step):
        kinds.append(own)
    kinds += ["scoring"] * presentation.is_scoring(step)
    kinds += ["fault"] * bool(faults_of(step)) + ["note"] * bool(step.get("note"))
    return kinds


def _seats(step: AnyStep) -> list[Seat]:
    if "moves" in step:
        return list(range(len(step["moves"])))
    return step.get("seats") or ([step["seat"]] if "seat" in step else [])


class _Writer:
    """Writes the lines of one record."""

    def __init__(self, replay: Replay, rounds: set[int], kinds: Kinds) -> None:
        self.replay = replay
        self.record = replay.record
        self.presentation = replay.presentation
        self.names = [seat["name"] for seat in replay.record["seats"]]
        self.rounds = rounds
        self.kinds = kinds
        self.link = escape(replay.link_start)
        self.remarks = _by_step(replay.insight["remarks"])
        self.limit_ms = time_limit_ms(replay.record)

    def line(self, step: AnyStep) -> str:
        """Return one line: its number, its sentence, and what else there is to tell."""
        i = step["i"]
        classes = escape(" ".join([*self.kinds[i], *["kv-newround"] * (i in self.rounds)]))
        style = "kv-said kv-long" if len(step["text"]) > MAX_LETTERS else "kv-said"
        current = ' aria-current="step"' if i == self.replay.step else ""
        return (
            f'<li id="log-{i}" class="{classes}" data-step="{i}"{current}>'
            f'<a href="{self.link}{i}" class="kv-number" '
            f'aria-label="Step {i}">{i}</a>'
            f'<div><span class="{style}">{self._sentence(step["text"], step)}</span>'
            f"{self._times(step)}{self._faults(step)}{self._notes(step)}{self._remarks(step)}"
            "</div></li>"
        )

    def _sentence(self, text: str, step: AnyStep) -> str:
        return sentence(text, step, self.names, self.presentation)

    def _times(self, step: AnyStep) -> str:
        if "ms" not in step:
            return ""
        if isinstance(step["ms"], list):
            times = list(zip(step["ms"], step["forced"], strict=True))
        else:
            times = [(step["ms"], step["forced"])]
        return "".join(self._time(ms) for ms, forced in times if not forced)

    def _time(self, ms: float) -> str:
        """Return a number and a bar; a slow decision also says so."""
        share = min(1.0, ms / self.limit_ms)
        slow = self.record["limits"] is not None and share > SLOW_SHARE
        bar = f'<svg aria-hidden="true"><rect width="{share:.0%}" height="3"/></svg>'
        words = f'<span class="kv-slow">slow {duration(ms)}</span>' if slow else duration(ms)
        return f' <span class="kv-ms">{words}{bar}</span>'

    def _faults(self, step: AnyStep) -> str:
        return "".join(self._fault(step, seat, code) for seat, code in faults_of(step))

    def _fault(self, step: AnyStep, seat: Seat, code: str) -> str:
        listed = [f for f in self.record["faults"] if (f["step"], f["seat"]) == (step["i"], seat)]
        detail = escape(listed[0]["detail"]) if listed else "had forfeited."
        move = step["moves"][seat] if "moves" in step else step["move"]
        log = ""
        if self.replay.owner_log_url and listed:
            log = f' <a href="{escape(self.replay.owner_log_url)}">Open bot log</a>'
        return (
            f'<p class="kv-fault"><b>! {escape(code)}</b> {badge(seat)} {detail} The league played '
            f"<i>{escape(move)}</i> for {seat_letter(seat)}.{log}</p>"
        )

    def _notes(self, step: AnyStep) -> str:
        notes = step.get("note")
        pairs = enumerate(notes) if isinstance(notes, list) else [(step.get("seat", 0), notes)]
        return "".join(
            f'<q class="kv-note">{badge(seat)} {escape(text)}</q>' for seat, text in pairs if text
        )

    def _remarks(self, step: AnyStep) -> str:
        return "".join(
            f'<em class="kv-remark">{self._sentence(remark["text"], step)}</em>'
            for remark in self.remarks[step["i"]]
        )


def _by_step(remarks: Iterable[Remark]) -> dict[int, list[Remark]]:
    by_step: dict[int, list[Remark]] = defaultdict(list)
    for remark in remarks:
        by_step[remark["i"]].append(remark)
    return by_step


def time_limit_ms(record: Record) -> float:
    """Return what thinking times are compared with: the limit, or without one the longest.

    The limit of computing time is the one that bites; the other is there against sleepers.
    """
    if record["limits"]:
        return float(record["limits"]["decision_cpu_ms"])
    times = [1.0]
    for step in record["steps"]:
        ms = step.get("ms", 0.0)
        times += ms if isinstance(ms, list) else [ms]
    return max(times)

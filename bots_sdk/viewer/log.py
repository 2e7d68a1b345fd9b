"""The log of a match: every step as a line, readable without JavaScript as the whole story."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from bots_sdk.viewer.moments import SCORING, Start, Step, faults_of
from bots_sdk.viewer.sentences import badge, duration, sentence
from engine.game import SEAT_LETTERS, Seat
from engine.record.recorder import Record

Link = Callable[[int], str]

_BARTER = frozenset({"barter", "offer", "decline", "accept", "free_win", "lapse"})
LONG = 150
"""The letters above which a sentence is set smaller in the caption."""
SLOW = 0.5
"""The share of the limit above which a decision is marked as slow."""


def log(
    record: Record,
    remarks: Sequence[dict[str, Any]],
    chapters: Sequence[Start],
    rounds: Sequence[Start],
    *,
    link: Link,
    owner_log: str | None,
    marked: int | None,
) -> str:
    """Lines grouped by chapter, and the filters that have something to show."""
    writer = _Writer(record, remarks, {start.i for start in rounds}, link, owner_log, marked)
    steps = record["steps"]
    ends = [start.i for start in chapters[1:]] + [len(steps)]
    groups = [
        f"<section><h3>{escape(start.name)}</h3><ol>"
        + "".join(map(writer.line, steps[start.i : end]))
        + "</ol></section>"
        for start, end in zip(chapters, ends, strict=True)
    ]
    return (
        f'<div class="kv-log-head"><h2>Log</h2>{_filters(record)}</div>'
        '<div class="kv-log" tabindex="0" role="region" aria-label="Log of the match">'
        f"{''.join(groups)}</div>"
    )


def _filters(record: Record) -> str:
    present = {kind for step in record["steps"] for kind in _kinds(step)}
    named = {"barter": "barters", "scoring": "scoring", "fault": "faults", "note": "with bot notes"}
    choices = {"": "all"} | {kind: text for kind, text in named.items() if kind in present}
    choices |= {f"s{s}": f"seat {SEAT_LETTERS[s]}" for s in range(len(record["seats"]))}
    options = "".join(f'<option value="{kind}">{text}</option>' for kind, text in choices.items())
    return f'<label>show <select class="kv-filter">{options}</select></label>'


def _kinds(step: Step) -> list[str]:
    """By which filters a line is shown."""
    kinds = [f"s{seat}" for seat in _seats(step)]
    kinds += ["barter"] * (step["t"] in _BARTER) + ["scoring"] * (step["t"] in SCORING)
    kinds += ["fault"] * bool(faults_of(step)) + ["note"] * bool(step.get("note"))
    return kinds


def _seats(step: Step) -> list[Seat]:
    if "moves" in step:
        return list(range(len(step["moves"])))
    return step.get("seats") or ([step["seat"]] if "seat" in step else [])


class _Writer:
    """Writes the lines of one record."""

    def __init__(
        self,
        record: Record,
        remarks: Sequence[dict[str, Any]],
        rounds: set[int],
        link: Link,
        owner_log: str | None,
        marked: int | None,
    ) -> None:
        self.record = record
        self.names = [seat["name"] for seat in record["seats"]]
        self.remarks = remarks
        self.rounds = rounds
        self.link = link
        self.owner_log = owner_log
        self.marked = marked
        self.limit = time_limit(record)

    def line(self, step: Step) -> str:
        i = step["i"]
        classes = " ".join([*_kinds(step), *["kv-newround"] * (i in self.rounds)])
        said = "kv-said kv-long" if len(step["text"]) > LONG else "kv-said"
        current = ' aria-current="step"' if i == self.marked else ""
        return (
            f'<li id="log-{i}" class="{classes}" data-step="{i}"{current}>'
            f'<a href="{escape(self.link(i))}" class="kv-number" aria-label="Step {i}">{i}</a>'
            f'<div><span class="{said}">{sentence(step["text"], step, self.names)}</span>'
            f"{self._times(step)}{self._faults(step)}{self._notes(step)}{self._remarks(step)}"
            "</div></li>"
        )

    def _times(self, step: Step) -> str:
        if "ms" not in step:
            return ""
        if isinstance(step["ms"], list):
            asked = [(ms, forced) for ms, forced in zip(step["ms"], step["forced"], strict=True)]
        else:
            asked = [(step["ms"], step["forced"])]
        return "".join(self._time(ms) for ms, forced in asked if not forced)

    def _time(self, ms: float) -> str:
        """A number and a bar; a slow decision also says so."""
        share = min(1.0, ms / self.limit)
        slow = self.record["limits"] is not None and share > SLOW
        bar = f'<svg aria-hidden="true"><rect width="{share:.0%}" height="3"/></svg>'
        said = f'<span class="kv-slow">slow {duration(ms)}</span>' if slow else duration(ms)
        return f' <span class="kv-ms">{said}{bar}</span>'

    def _faults(self, step: Step) -> str:
        return "".join(self._fault(step, seat, code) for seat, code in faults_of(step))

    def _fault(self, step: Step, seat: Seat, code: str) -> str:
        listed = [f for f in self.record["faults"] if (f["step"], f["seat"]) == (step["i"], seat)]
        detail = escape(listed[0]["detail"]) if listed else "had forfeited."
        move = step["moves"][seat] if "moves" in step else step["move"]
        log = ""
        if self.owner_log and listed:
            log = f' <a href="{escape(self.owner_log)}">Open bot log</a>'
        return (
            f'<p class="kv-fault"><b>! {escape(code)}</b> {badge(seat)} {detail} The league played '
            f"<i>{escape(move)}</i> for {SEAT_LETTERS[seat]}.{log}</p>"
        )

    def _notes(self, step: Step) -> str:
        notes = step.get("note")
        pairs = enumerate(notes) if isinstance(notes, list) else [(step.get("seat", 0), notes)]
        return "".join(
            f'<q class="kv-note">{badge(seat)} {escape(text)}</q>' for seat, text in pairs if text
        )

    def _remarks(self, step: Step) -> str:
        return "".join(
            f'<em class="kv-remark">{sentence(r["text"], step, self.names)}</em>'
            for r in self.remarks
            if r["i"] == step["i"]
        )


def time_limit(record: Record) -> float:
    """What thinking times are held against: the limit, or without one the longest there was."""
    if record["limits"]:
        return float(record["limits"]["decision_wall_ms"])
    spent = [1.0]
    for step in record["steps"]:
        ms = step.get("ms", 0.0)
        spent += ms if isinstance(ms, list) else [ms]
    return max(spent)

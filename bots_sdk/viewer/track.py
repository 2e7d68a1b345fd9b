"""The track under the slider with its marks, and the same moments as a list of links."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from bots_sdk.viewer.chances import chance_lines, chance_note
from bots_sdk.viewer.moments import mark_kinds
from bots_sdk.viewer.neutral import chapter_in_time, in_time
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import plain
from engine.facets.presentation import Mark, MarkKind, Start

MAX_TICKS = 90


def track(replay: Replay, chapters: Sequence[Start], rounds: Sequence[Start]) -> str:
    """Return a drawing as wide as it is given room; places are shares of the whole."""
    last = max(1, len(replay.record["steps"]) - 1)
    ends = [start.i for start in chapters[1:]] + [last]
    parts = [_segment(replay, start, end, last) for start, end in zip(chapters, ends, strict=True)]
    if len(rounds) <= MAX_TICKS:
        parts += [
            f'<line x1="{start.i / last:.2%}" x2="{start.i / last:.2%}" y1="19" y2="25"/>'
            for start in rounds
        ]
    kinds = mark_kinds(replay.presentation)
    parts += [_mark(mark, kinds[mark.kind], last) for mark in replay.marks]
    return (
        f'<svg class="kv-track" aria-hidden="true" width="100%" height="44">{"".join(parts)}</svg>'
        f"{chance_lines(replay.chances, last)}"
    )


def _segment(replay: Replay, start: Start, end: int, last: int) -> str:
    width, name = (end - start.i) / last, ""
    if width > 1 / 12:
        attributes, words = chapter_in_time(replay, start)
        name = f'<text x="2" y="11"{attributes}>{words}</text>'
    return (
        f'<svg x="{start.i / last:.2%}" width="{width:.2%}" height="44">'
        f'<rect x="1" y="19" width="100%" height="6"/>{name}</svg>'
    )


def _mark(mark: Mark, kind: MarkKind, last: int) -> str:
    y = 36 if kind.below else 22
    return (
        f'<svg x="{mark.i / last:.2%}" class="kv-mark kv-{mark.kind}">'
        f'<path d="{kind.outline}" transform="translate(0 {y})"/></svg>'
    )


class _Moment(NamedTuple):
    """A line of the key moments."""

    i: int
    kind: str
    text: str
    neutral: str
    until: int
    """The last step of which the text tells."""


def moments(replay: Replay, chapters: Sequence[Start]) -> str:
    """Return every mark in words; of those with keys of their own only the scenes."""
    listed = sorted([*_parts(replay, chapters), *_marks(replay)])
    lines = "".join(_line(replay, moment) for moment in listed)
    return (
        f'<details class="kv-moments"><summary>Key moments ({len(listed)})</summary>'
        f"{_legend(replay)}{chance_note(replay.chances)}<ol>{lines}</ol></details>"
    )


def _parts(replay: Replay, chapters: Sequence[Start]) -> Iterator[_Moment]:
    """Yield chapters and scenes."""
    presentation = replay.presentation
    for start in chapters:
        if start.i:
            neutral = start.neutral or start.name
            yield _Moment(start.i, "chapter", start.name, neutral, start.i)
    kind = presentation.jump_kind
    name = presentation.mark_kinds[kind].name if kind else "scene"
    for scene in presentation.scenes(replay.record["steps"]):
        if scene.title:
            neutral = name.capitalize()
            yield _Moment(scene.first, kind or "scene", scene.title, neutral, scene.last)


def _marks(replay: Replay) -> Iterator[_Moment]:
    """Yield the marks. A turning point tells of the row of chances after it."""
    kinds = mark_kinds(replay.presentation)
    rows = {point.step: point.last for point in replay.chances.turning_points}
    for mark in replay.marks:
        if mark.kind != replay.presentation.jump_kind:
            until = rows.get(mark.i, mark.i) if mark.kind == "turn" else mark.i
            yield _Moment(*mark, kinds[mark.kind].name.capitalize(), until)


def _line(replay: Replay, moment: _Moment) -> str:
    """Return a link; its title is the sentence of the step, which the viewer adds in time."""
    attributes, words = in_time(replay, moment.until, moment.text, moment.neutral)
    title = f' title="{_sentence(replay, moment.i)}"' if replay.spoiler is None else ""
    return (
        f'<li><a href="{escape(replay.link(moment.i))}" data-step="{moment.i}"{title}{attributes}>'
        f'<span class="kv-number">{moment.i}</span> <span>{words}</span></a></li>'
    )


def _sentence(replay: Replay, i: int) -> str:
    step, names = replay.record["steps"][i], [seat["name"] for seat in replay.record["seats"]]
    return plain(step["text"], step, names, replay.presentation)


def _legend(replay: Replay) -> str:
    present = {mark.kind for mark in replay.marks}
    items = "".join(
        f'<li><svg class="kv-mark kv-{kind}" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<path d="{one.outline}"/></svg>{escape(one.name)}</li>'
        for kind, one in mark_kinds(replay.presentation).items()
        if kind in present
    )
    return f'<ul class="kv-legend" aria-label="Marks on the timeline">{items}</ul>'

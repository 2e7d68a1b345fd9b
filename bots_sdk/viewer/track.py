"""The track under the slider with its marks, and the same moments as a list of links."""

from collections.abc import Sequence
from html import escape

from bots_sdk.viewer.chances import chance_lines, chance_note
from bots_sdk.viewer.moments import mark_kinds
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import plain
from engine.facets.presentation import Mark, MarkKind, Start

MAX_TICKS = 90


def track(replay: Replay, chapters: Sequence[Start], rounds: Sequence[Start]) -> str:
    """Return a drawing as wide as it is given room; places are shares of the whole."""
    last = max(1, len(replay.record["steps"]) - 1)
    ends = [start.i for start in chapters[1:]] + [last]
    parts = [_segment(start, end, last) for start, end in zip(chapters, ends, strict=True)]
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


def _segment(start: Start, end: int, last: int) -> str:
    width = (end - start.i) / last
    name = f'<text x="2" y="11">{escape(start.name)}</text>' if width > 1 / 12 else ""
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


def moments(replay: Replay, chapters: Sequence[Start]) -> str:
    """Return every mark in words; of those with keys of their own only the scenes."""
    steps, jump_kind = replay.record["steps"], replay.presentation.jump_kind
    names = [seat["name"] for seat in replay.record["seats"]]
    listed = [
        *(Mark(start.i, "chapter", start.name) for start in chapters if start.i),
        *(
            Mark(scene.first, jump_kind or "scene", scene.title)
            for scene in replay.presentation.scenes(steps)
            if scene.title
        ),
        *(mark for mark in replay.marks if mark.kind != jump_kind),
    ]
    lines = "".join(
        f'<li><a href="{escape(replay.link(mark.i))}" data-step="{mark.i}" '
        f'title="{plain(steps[mark.i]["text"], steps[mark.i], names, replay.presentation)}">'
        f'<span class="kv-number">{mark.i}</span> {escape(mark.text)}</a></li>'
        for mark in sorted(listed)
    )
    return (
        f'<details class="kv-moments"><summary>Key moments ({len(listed)})</summary>'
        f"{_legend(replay)}{chance_note(replay.chances)}<ol>{lines}</ol></details>"
    )


def _legend(replay: Replay) -> str:
    present = {mark.kind for mark in replay.marks}
    items = "".join(
        f'<li><svg class="kv-mark kv-{kind}" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<path d="{one.outline}"/></svg>{escape(one.name)}</li>'
        for kind, one in mark_kinds(replay.presentation).items()
        if kind in present
    )
    return f'<ul class="kv-legend" aria-label="Marks on the timeline">{items}</ul>'

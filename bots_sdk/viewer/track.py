"""The track under the slider with its marks, and the same moments as a list of links."""

from collections.abc import Callable, Sequence
from html import escape

from bots_sdk.viewer.moments import LONG_BARTER, Mark, Start, Step, barters
from bots_sdk.viewer.sentences import plain

SHAPES = {
    "barter": ("barter", "M-4-3h8v6h-8Z"),
    "scoring": ("scoring", "M0-7 2-2H7L3 1l1 6-4-4-4 4 1-6-4-3h5Z"),
    "fault": ("fault", "M-2-7h4l-1 8h-2ZM-2 3h4v4h-4Z"),
    "lead": ("lead change", "M0-6 6 5h-12Z"),
    "special": ("card shown", "M0-6 6 0 0 6-6 0Z"),
    "missed": ("missed win", "M-6-4-4-6 0-2 4-6 6-4 2 0 6 4 4 6 0 2-4 6-6 4-2 0Z"),
    "end": ("the end", "M-2-7h4V7h-4Z"),
}
"""What each kind of mark is called, and its outline around the origin: no two look alike."""
_BELOW = frozenset({"fault", "lead", "special", "missed"})
MAX_TICKS = 90


def track(
    steps: int, chapters: Sequence[Start], rounds: Sequence[Start], marks: Sequence[Mark]
) -> str:
    """A drawing as wide as it is given room; places are shares of the whole."""
    last = max(1, steps - 1)
    ends = [start.i for start in chapters[1:]] + [last]
    parts = [_segment(start, end, last) for start, end in zip(chapters, ends, strict=True)]
    if len(rounds) <= MAX_TICKS:
        parts += [
            f'<line x1="{start.i / last:.2%}" x2="{start.i / last:.2%}" y1="19" y2="25"/>'
            for start in rounds
        ]
    parts += [_mark(mark, last) for mark in marks]
    return (
        f'<svg class="kv-track" aria-hidden="true" width="100%" height="44">{"".join(parts)}</svg>'
    )


def _segment(start: Start, end: int, last: int) -> str:
    wide = (end - start.i) / last
    name = f'<text x="2" y="11">{escape(start.name)}</text>' if wide > 1 / 12 else ""
    return (
        f'<svg x="{start.i / last:.2%}" width="{wide:.2%}" height="44">'
        f'<rect x="1" y="19" width="100%" height="6"/>{name}</svg>'
    )


def _mark(mark: Mark, last: int) -> str:
    y = 36 if mark.kind in _BELOW else 22
    return (
        f'<svg x="{mark.i / last:.2%}" class="kv-mark kv-{mark.kind}">'
        f'<path d="{SHAPES[mark.kind][1]}" transform="translate(0 {y})"/></svg>'
    )


def moments(
    steps: list[Step],
    chapters: Sequence[Start],
    marks: Sequence[Mark],
    names: Sequence[str],
    link: Callable[[int], str],
) -> str:
    """Every mark in words; of the barters only the long ones."""
    long = [course for course in barters(steps) if course.offers >= LONG_BARTER]
    listed = [Mark(start.i, "chapter", start.name) for start in chapters if start.i]
    listed += [
        Mark(c.i, "barter", f"Barter for {steps[c.i]['action']}, {c.offers} offers") for c in long
    ]
    listed = sorted([*listed, *(mark for mark in marks if mark.kind != "barter")])
    lines = "".join(
        f'<li><a href="{escape(link(mark.i))}" data-step="{mark.i}" '
        f'title="{plain(steps[mark.i]["text"], steps[mark.i], names)}">'
        f'<span class="kv-number">{mark.i}</span> {escape(mark.text)}</a></li>'
        for mark in listed
    )
    return (
        f'<details class="kv-moments"><summary>Key moments ({len(listed)})</summary>'
        f"{_legend(marks)}<ol>{lines}</ol></details>"
    )


def _legend(marks: Sequence[Mark]) -> str:
    present = {mark.kind for mark in marks}
    items = "".join(
        f'<li><svg class="kv-mark kv-{kind}" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<path d="{shape}"/></svg>{name}</li>'
        for kind, (name, shape) in SHAPES.items()
        if kind in present
    )
    return f'<ul class="kv-legend" aria-label="Marks on the timeline">{items}</ul>'

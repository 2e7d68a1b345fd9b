"""Scoring sheets: how each scoring came to its sums, line by line."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from bots_sdk.viewer.moments import SCORING, Step, standing, views_of
from bots_sdk.viewer.sentences import badge
from engine.barter.gems import INDEX, NAMES, VALUE
from engine.record.recorder import Record

_CROWN = '<svg aria-hidden="true"><use href="#kv-crown"/></svg>'


def sheets(record: Record) -> str:
    """One sheet for each scoring; the viewer lays the current one on the table."""
    steps = record["steps"]
    groups = list(_groups(steps))
    if not groups:
        return ""
    scores = standing(record)
    counts = {
        step["i"]: [seat.get("gems", []) for seat in view["seats"]]
        for step, view in zip(steps[1:], views_of(record), strict=False)
        if "colour" in step
    }
    return "".join(
        _sheet(
            group,
            counts,
            [b - a for a, b in zip(scores[group[0]["i"] - 1], after, strict=True)],
            after,
        )
        for group in groups
        for after in [scores[group[-1]["i"]]]
    )


def _groups(steps: list[Step]) -> Iterator[list[Step]]:
    """The steps of each scoring."""
    group: list[Step] = []
    for step, following in pairwise(steps):
        if step["t"] in SCORING:
            group.append(step)
            if following["t"] not in SCORING:
                yield group
                group = []


def _sheet(group: list[Step], counts: dict[int, Any], sums: list[int], after: list[int]) -> str:
    head = "".join(f'<th scope="col">{badge(seat)}</th>' for seat in range(len(sums)))
    total = "".join(
        f"<td><b>+{gained}</b> <small>now {now}</small></td>"
        for gained, now in zip(sums, after, strict=True)
    )
    first, last = group[0]["i"], group[-1]["i"]
    return (
        f'<div class="kv-sheet" data-from="{first}" data-to="{last}" tabindex="0" role="region" '
        f'aria-label="Scoring sheet, steps {first} to {last}"><table><thead><tr>'
        f'<th scope="col">Scoring</th>{head}<th scope="col">Back to the supply</th></tr></thead>'
        f"<tbody>{''.join(_line(step, counts.get(step['i'])) for step in group)}"
        f'<tr data-step="{last}"><th scope="row">Sum</th>{total}<td></td></tr>'
        "</tbody></table></div>"
    )


def _line(step: Step, hands: list[list[int]] | None) -> str:
    """Gems (or certificates, or workers), what was paid for them, and what went back."""
    if hands is not None:
        c = INDEX[step["colour"]]
        cut = NAMES[c][0]
        title = (
            f'<span class="kv-kg kv-{cut}">{NAMES[c].capitalize()}</span> <small>{VALUE[c]}</small>'
        )
        had = [gems[c] for gems in hands]
    else:
        title = step["t"].capitalize()
        had = step["held"] if "held" in step else step["count"]
    tie = hands is not None and sum(map(bool, step["paid"])) > 1
    cells = "".join(
        f"<td>{count}{_paid(step, seat, tie, hands is not None)}</td>"
        for seat, count in enumerate(had)
    )
    back = " ".join(
        f"{badge(seat)} {count}" for seat, count in enumerate(step.get("returned", [])) if count
    )
    row = f'<tr data-step="{step["i"]}"><th scope="row">{title}</th>'
    return f"{row}{cells}<td>{back or '–'}</td></tr>"


def _paid(step: Step, seat: int, tie: bool, crowned: bool) -> str:
    paid, bonus = step["paid"][seat], step.get("bonus", [0] * (seat + 1))[seat]
    crown = ""
    if crowned:
        said = "shared" if tie else "alone"
        half = " kv-half" if tie else ""
        crown = f'<span class="kv-crown{half}">{_CROWN}<span class="kv-quiet">{said}</span></span>'
    shown = f' <span class="kv-paid">{crown} +{paid}</span>' if paid else ""
    if bonus:
        shown += (
            f' <span class="kv-bonus" title="event cards">+{bonus}'
            '<span class="kv-quiet"> by event cards</span></span>'
        )
    return shown

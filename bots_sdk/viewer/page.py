"""The viewer of one match as HTML: controls, and everything about it that is text."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from bots_sdk.viewer.charts import charts
from bots_sdk.viewer.data import data
from bots_sdk.viewer.files import FOLDER
from bots_sdk.viewer.log import log
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import badge
from bots_sdk.viewer.track import moments, track
from engine.facets.presentation import Start
from engine.game import Seat
from engine.narration import ordinal
from engine.record.ending import name_winner


def replay_html(replay: Replay) -> str:
    """Return the whole viewer, for a page that loads its style sheets and its modules.

    Elements with `data-slot` belong to the view; the viewer replaces them with those of another
    view's HTML when a visitor changes it.
    """
    replay = replace(replay, record=name_winner(replay.record))
    steps, presentation = replay.record["steps"], replay.presentation
    chapters, rounds = presentation.chapters(steps), presentation.rounds(steps)
    slots: dict[str, str | int] = {
        "attributes": _attributes(replay),
        "head": _head(replay),
        "last": len(steps) - 1,
        "views": _views(replay),
        "track": track(replay, chapters, rounds),
        "moments": moments(replay, chapters),
        "log": log(replay, chapters, rounds),
        "drawers": _drawers(replay, chapters),
        "data": data(replay, chapters, rounds),
        "seats": len(replay.record["seats"]),
        **_jumps(replay),
        **_words("chapter", chapters, "part"),
        **_words("round", rounds, "round"),
    }
    return (FOLDER / "viewer.html").read_text(encoding="utf-8").format_map(slots)


def _jumps(replay: Replay) -> dict[str, str]:
    """Return what the controls that lead to marks are called, and which of them are hidden."""
    presentation, present = replay.presentation, {mark.kind for mark in replay.marks}
    kind = presentation.jump_kind
    return {
        "jump": escape(presentation.mark_kinds[kind].name) if kind else "mark",
        "no_jump_key": "" if kind else " hidden",
        "no_jump": "" if kind in present else " hidden",
        "no_lead": "" if "lead" in present else " hidden",
        "no_fault": "" if "fault" in present else " hidden",
    }


def _words(slot: str, starts: Sequence[Start], default: str) -> dict[str, str]:
    """Return what the game calls such a part, if it numbers them: `Stage 1` is a stage."""
    numbered = [re.fullmatch(r"(\w+) \d+", start.name) for start in starts if start.i]
    words = {match[1].lower() if match else default for match in numbered}
    word = escape(words.pop()) if len(words) == 1 else default
    return {f"{slot}_word": word, f"{slot}_title": word.capitalize()}


def _drawers(replay: Replay, chapters: Sequence[Start]) -> str:
    """Return what is told of the whole match; what a view replaces lies within what hides it."""
    raw = f'<p><a href="{escape(replay.record_url)}" download>The record as JSON</a></p>'
    more = "".join(
        f'<details class="kv-chart"><summary>{escape(title)}</summary>{body}</details>'
        for title, body in (*replay.drawers, ("Raw", raw))
    )
    drawers = f"{charts(replay, chapters)}{more}"
    slot = f'<div class="kv-drawers" data-slot="charts">{drawers}</div>'
    return _hidden(replay, "Show charts", slot)


def _hidden(replay: Replay, summary: str, html: str) -> str:
    """Return something that tells the end, closed if the page hides the result."""
    if replay.spoiler is None:
        return html
    return (
        f'<details class="spoiler" data-spoiler="{escape(replay.spoiler)}">'
        f"<summary>{summary}</summary>{html}</details>"
    )


def sprite() -> str:
    """Return the gems and signs that the viewer refers to; a page needs them once."""
    return (FOLDER / "gems.svg").read_text(encoding="utf-8")


def _attributes(replay: Replay) -> str:
    values = {
        "record-url": replay.record_url,
        "page-url": replay.page_url,
        "view": replay.view,
        "game": replay.record["game"],
    }
    if replay.step is not None:
        values["begin"] = str(replay.step)
    flags = [name for name in ("embed", "autoplay") if getattr(replay, name)]
    return " ".join(
        [*(f'data-{n}="{escape(v)}"' for n, v in values.items()), *(f"data-{n}" for n in flags)]
    )


def _head(replay: Replay) -> str:
    """Return title and result."""
    record, outcome = replay.record, replay.record["outcome"]
    order = sorted(range(len(record["seats"])), key=outcome["placements"].__getitem__)
    result = "".join(
        f'<li><span class="kv-place">{ordinal(outcome["placements"][seat])}</span> {badge(seat)} '
        f"<bdi>{escape(_name(record['seats'][seat]))}</bdi> <b>{_score(replay, seat)}</b></li>"
        for seat in order
    )
    home = (
        f'<a class="kv-home" href="{escape(replay.home_url)}">Open</a>' if replay.home_url else ""
    )
    return f'<div class="kv-heading"><h2>{escape(replay.title)}</h2>{home}</div>' + _hidden(
        replay, "Show result", f'<ol class="kv-result">{result}</ol>'
    )


def _name(seat: dict[str, Any]) -> str:
    version = f" v{seat['version']}" if seat.get("version") else ""
    return f"{seat['name']}{version}"


def _score(replay: Replay, seat: Seat) -> str:
    outcome = replay.record["outcome"]
    score = escape(replay.presentation.format_short(outcome["scores"][seat]))
    return f"{score} (forfeited)" if seat in outcome["forfeits"] else score


def _views(replay: Replay) -> str:
    if not replay.views:
        return ""
    options = "".join(
        f'<option value="{view}"{" selected" if view == replay.view else ""}>'
        f"{view if len(view) > 1 else f'seat {view}'}</option>"
        for view in replay.views
    )
    return (
        '<label class="kv-pick"><span class="kv-quiet">View</span>'
        f'<select class="kv-view" title="Whose view">{options}</select></label>'
    )

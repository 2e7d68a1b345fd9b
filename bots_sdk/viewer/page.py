"""The viewer of one match as HTML: controls, and everything about it that is text."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from bots_sdk.viewer import moments as found
from bots_sdk.viewer.charts import charts
from bots_sdk.viewer.log import log, time_limit
from bots_sdk.viewer.rounds import rounds_of, scenes
from bots_sdk.viewer.track import moments, track
from engine.catalogue import catalogue
from engine.game import SEAT_LETTERS
from engine.record.ending import name_winner
from engine.record.insight import MatchInsight
from engine.record.recorder import Record
from engine.registry import GAMES

FOLDER = Path(__file__).parent
_PLACES = ("1st", "2nd", "3rd", "4th", "5th")


@dataclass(frozen=True)
class Replay:
    """A match as it is to be shown: its record (or a redacted copy) and what is told beside it."""

    record: Record
    told: MatchInsight
    """What `engine.record.insight.insight` says of it."""
    title: str
    """The game's name and whatever else stands above the table."""
    record_url: str
    page_url: str
    """Where this HTML is served; with `view` in the query, for that view."""
    view: str = "everything"
    views: tuple[str, ...] = ()
    """The views a visitor may choose from; with none, there is no choice."""
    step: int | None = None
    """Where to begin; without JavaScript, the line to be marked."""
    drawers: tuple[tuple[str, str], ...] = ()
    """More to be opened below the charts: titles and HTML, such as receipts or a bot's log."""
    owner_log_url: str | None = None
    home_url: str | None = None
    embed: bool = False
    autoplay: bool = False

    def link(self, i: int) -> str:
        """The address of a step, relative to the page the viewer is on."""
        return f"{self._link}{i}"

    @cached_property
    def _link(self) -> str:
        """All links but the number of the step: a log has hundreds of them."""
        page = urlsplit(self.page_url)
        query = [(name, value) for name, value in parse_qsl(page.query) if name != "view"]
        if self.view != "everything":
            query.append(("view", self.view))
        return f"?{urlencode([*query, ('step', '')])}"

    @cached_property
    def marks(self) -> list[found.Mark]:
        """The marks of the timeline."""
        return found.marks(self.record, self.told["remarks"])


def replay_html(replay: Replay) -> str:
    """The whole viewer, to be put into a page that loads its style sheets and `viewer.js`.

    Elements with `data-slot` belong to the view; the viewer replaces them with those of another
    view's HTML when a visitor changes it.
    """
    record = name_winner(replay.record)
    steps, names = record["steps"], [seat["name"] for seat in record["seats"]]
    chapters, rounds = found.chapters(steps), found.rounds(steps)
    slots: dict[str, str | int] = {
        "attributes": _attributes(replay),
        "head": _head(replay),
        "last": len(steps) - 1,
        "views": _views(replay),
        "track": track(len(steps), chapters, rounds, replay.marks),
        "moments": moments(steps, chapters, replay.marks, names, replay.link),
        "log": log(
            record,
            replay.told["remarks"],
            chapters,
            rounds,
            link=replay.link,
            owner_log=replay.owner_log_url,
            marked=replay.step,
        ),
        "charts": charts(record, replay.told, chapters, replay.link) + _drawers(replay),
        "data": _data(replay, chapters, rounds),
    }
    present = {mark.kind for mark in replay.marks}
    for kind in ("barter", "lead", "fault"):
        slots[f"no_{kind}"] = "" if kind in present else " hidden"
    return (FOLDER / "viewer.html").read_text(encoding="utf-8").format_map(slots)


def _drawers(replay: Replay) -> str:
    raw = f'<p><a href="{escape(replay.record_url)}" download>The record as JSON</a></p>'
    return "".join(
        f'<details class="kv-chart"><summary>{escape(title)}</summary>{body}</details>'
        for title, body in (*replay.drawers, ("Raw", raw))
    )


def sprite() -> str:
    """The gems and signs that the viewer refers to; a page needs them once."""
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
    """Title and result."""
    record, outcome = replay.record, replay.record["outcome"]
    order = sorted(range(len(record["seats"])), key=outcome["placements"].__getitem__)
    result = "".join(
        f'<li><span class="kv-place">{_PLACES[outcome["placements"][seat] - 1]}</span> '
        f'<b class="kv-seat kv-s{seat}">{SEAT_LETTERS[seat]}</b> '
        f"{escape(_named(record['seats'][seat]))} <b>{_score(record, seat)}</b></li>"
        for seat in order
    )
    home = (
        f'<a class="kv-home" href="{escape(replay.home_url)}">Open</a>' if replay.home_url else ""
    )
    return (
        f'<div class="kv-heading"><h2>{escape(replay.title)}</h2>{home}</div>'
        f'<ol class="kv-result">{result}</ol>'
    )


def _named(seat: dict[str, Any]) -> str:
    version = f" v{seat['version']}" if seat.get("version") else ""
    return f"{seat['name']}{version}"


def _score(record: Record, seat: int) -> str:
    score = record["outcome"]["scores"][seat]
    shown: Callable[[int], str] = {
        "edel-stein-reich": lambda score: f"{score}M",
        "edelsteinsuche": lambda score: f"{5 + score} of 5",
    }.get(record["game"], str)
    forfeit = " (forfeited)" if seat in record["outcome"]["forfeits"] else ""
    return shown(score) + forfeit


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


def _data(replay: Replay, chapters: list[found.Start], rounds: list[found.Start]) -> str:
    """What the modules need to know of the match besides its record."""
    steps = replay.record["steps"]
    data = {
        "title": replay.title,
        "scored": replay.told["scored"],
        "times": found.times(steps),
        "highlights": found.highlights(steps, replay.marks),
        "chapters": [list(start) for start in chapters],
        "rounds": [list(start) for start in rounds],
        "marks": [[mark.i, mark.kind] for mark in replay.marks],
        "limit": time_limit(replay.record),
        "fates": [one.as_data() for one in rounds_of(steps)],
        "scenes": scenes(steps),
        **_cards(replay.record),
    }
    # Inside a script element only this sign could end it.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _cards(record: Record) -> dict[str, Any]:
    """The game's numbers, and the cards the record names: a redacted copy tells of no other."""
    if record["game"] not in GAMES:
        return {"cards": {}, "numbers": {}}
    told = catalogue(GAMES[record["game"]])
    named = json.dumps(record["steps"])
    cards = {name: card for name, card in told["cards"].items() if f'"{name}"' in named}
    return {"cards": cards, "numbers": told["numbers"]}

"""The tables among the charts: those of the game, and the thinking times of every game."""

from html import escape
from statistics import median

from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import badge, duration, phrase
from engine.facets.presentation import Cell, Table
from engine.game import Seat

_STYLES = {"number": "num"}
"""Styles of cells whose class has another name; every other class is named like its style."""


def ledger(table: Table, replay: Replay) -> str:
    """Return a table of the game; one without rows says why."""
    note = escape(table.note)
    if not table.rows:
        return f"<p>{note or 'There is nothing to show.'}</p>"
    head = "".join(f'<th scope="col">{_content(cell, replay)}</th>' for cell in table.head)
    rows = "".join(_row(row, replay) for row in table.rows)
    html = _region(
        table.title,
        f'<table class="kv-{escape(table.style)}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>",
    )
    return f'{html}<p class="kv-small">{note}</p>' if note else html


def _row(cells: list[Cell], replay: Replay) -> str:
    first, *others = cells
    return (
        f'<tr><th scope="row">{_content(first, replay)}</th>'
        + "".join(_cell(cell, replay) for cell in others)
        + "</tr>"
    )


def _cell(cell: Cell, replay: Replay) -> str:
    title = f' title="{escape(cell.hint)}"' if cell.hint else ""
    style = escape(_STYLES.get(cell.style, cell.style))
    style = f' class="kv-{style}"' if style else ""
    return f"<td{title}{style}>{_content(cell, replay)}</td>"


def _content(cell: Cell, replay: Replay) -> str:
    html = phrase(cell.text, replay.presentation)
    if cell.step is not None:
        html = _link(replay, cell.step, html)
    if cell.sign:
        html += f'<i aria-hidden="true">{escape(cell.sign)}</i>'
    if cell.hint:
        html += f'<span class="kv-quiet"> {escape(cell.hint)}</span>'
    return html


def _region(label: str, table: str) -> str:
    """Return a table that scrolls within itself if it is too wide."""
    label = escape(label)
    return f'<div class="kv-wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _link(replay: Replay, i: int, text: str) -> str:
    return f'<a href="{escape(replay.link(i))}" data-step="{i}">{text}</a>'


def think_times(replay: Replay) -> str:
    """Return for each seat how long it thought in all, usually and at most."""
    times: list[list[tuple[float, int]]] = [[] for _ in replay.record["seats"]]
    for step in replay.record["steps"]:
        if "moves" in step:
            for seat, (ms, forced) in enumerate(zip(step["ms"], step["forced"], strict=True)):
                if not forced:
                    times[seat].append((ms, step["i"]))
        elif "move" in step and not step["forced"]:
            times[step["seat"]].append((step["ms"], step["i"]))
    rows = "".join(_time_row(replay, seat, decisions) for seat, decisions in enumerate(times))
    head = "".join(
        f'<th scope="col">{t}</th>' for t in ("Seat", "Decisions", "In all", "Median", "Longest")
    )
    return _region(
        "Thinking time",
        f'<table class="kv-ledger"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>',
    )


def _time_row(replay: Replay, seat: Seat, times: list[tuple[float, int]]) -> str:
    name = escape(replay.record["seats"][seat]["name"])
    first = f'<tr><th scope="row">{badge(seat)} {name}</th><td class="kv-num">{len(times)}</td>'
    if not times:
        return f'{first}<td colspan="3">was never asked</td></tr>'
    longest_ms, at = max(times)
    cells = (
        duration(sum(ms for ms, _ in times)),
        duration(median(ms for ms, _ in times)),
        f"{duration(longest_ms)}, step {_link(replay, at, str(at))}",
    )
    return first + "".join(f'<td class="kv-num">{cell}</td>' for cell in cells) + "</tr>"

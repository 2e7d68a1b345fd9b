"""The tables among the charts: actions chosen, barters with their prices, thinking times."""

from html import escape
from statistics import median

from bots_sdk.viewer.log import Link
from bots_sdk.viewer.moments import BarterSummary, Step, barters
from bots_sdk.viewer.rounds import Round, rounds_of
from bots_sdk.viewer.sentences import badge, duration, sentence
from engine.barter.narration import gems
from engine.game import Seat
from engine.record.recorder import Record

_SIGNS = {
    "alone": ("●", "alone"),
    "turns": ("●", "in turn"),
    "won": ("◉", "won the barter"),
    "sold": ("◐", "sold it"),
    "cancelled": ("✕", "cancelled"),
    "nobody": ("✕", "nobody got it"),
}
_LEGEND = "● alone or in turn · ◉ won the barter · ◐ sold it · ✕ nobody got it"


def _region(label: str, table: str) -> str:
    """A wide table scrolls within itself."""
    return f'<div class="kv-wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _link(link: Link, i: int, text: str) -> str:
    return f'<a href="{escape(link(i))}" data-step="{i}">{text}</a>'


def actions(record: Record, link: Link) -> str:
    """A column for each round, a row for each seat: the action's first letter and its fate."""
    chosen = [step for step in record["steps"] if step["t"] == "choose"]
    played = list(zip(chosen, rounds_of(record["steps"]), strict=True))
    head = "".join(
        f'<th scope="col">{_link(link, step["i"], str(number))}</th>'
        for number, step in enumerate(chosen, 1)
    )
    rows = "".join(
        f'<tr><th scope="row">{badge(seat)}</th>'
        + "".join(_cell(seat, step["moves"][seat], one) for step, one in played)
        + "</tr>"
        for seat in range(len(record["seats"]))
    )
    table = f'<table class="kv-grid"><thead><tr><th scope="col">Round</th>{head}</tr></thead>'
    scrolled = _region("Actions", f"{table}<tbody>{rows}</tbody></table>")
    return f'{scrolled}<p class="kv-small">{_LEGEND}</p>'


def _cell(seat: Seat, action: str, one: Round) -> str:
    fate = one.result(action)
    kind = "won" if fate.buyer == seat else fate.kind
    sign, said = _SIGNS[kind]
    return (
        f'<td title="{action}, {said}" class="kv-{kind}">{action[0].upper()}'
        f'<i aria-hidden="true">{sign}</i><span class="kv-quiet"> {said}</span></td>'
    )


def barter_ledger(record: Record, link: Link) -> str:
    """Every barter: what for, between whom, how many offers, at what price."""
    rows = "".join(
        _barter_row(record["steps"], course, link) for course in barters(record["steps"])
    )
    if not rows:
        return "<p>Nobody had to barter in this match.</p>"
    head = "".join(
        f'<th scope="col">{t}</th>' for t in ("Step", "For", "Opened", "Offers", "Sold by", "Price")
    )
    return _region(
        "Barters",
        f'<table class="kv-ledger"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>',
    )


def _barter_row(steps: list[Step], course: BarterSummary, link: Link) -> str:
    opening, accept = steps[course.i], course.accept
    seller = f"{badge(accept['seat'])} to {badge(accept['from'])}" if accept else "–"
    price = sentence(gems(accept["gems"]), {}, []) if accept else "no trade"
    return (
        f"<tr><td>{_link(link, course.i, str(course.i))}</td><td>{escape(opening['action'])}</td>"
        f'<td>{badge(opening["opener"])}</td><td class="kv-num">{course.offers}</td>'
        f"<td>{seller}</td><td>{price}</td></tr>"
    )


def think_times(record: Record, link: Link) -> str:
    """For each seat how long it thought in all, usually and at most."""
    spent: list[list[tuple[float, int]]] = [[] for _ in record["seats"]]
    for step in record["steps"]:
        if "moves" in step:
            for seat, ms in enumerate(step["ms"]):
                spent[seat].append((ms, step["i"]))
        elif "move" in step and not step["forced"]:
            spent[step["seat"]].append((step["ms"], step["i"]))
    rows = "".join(_time_row(record, seat, times, link) for seat, times in enumerate(spent))
    head = "".join(
        f'<th scope="col">{t}</th>' for t in ("Seat", "Decisions", "In all", "Median", "Longest")
    )
    return _region(
        "Thinking time",
        f'<table class="kv-ledger"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>',
    )


def _time_row(record: Record, seat: Seat, times: list[tuple[float, int]], link: Link) -> str:
    name = escape(record["seats"][seat]["name"])
    first = f'<tr><th scope="row">{badge(seat)} {name}</th><td class="kv-num">{len(times)}</td>'
    if not times:
        return f'{first}<td colspan="3">was never asked</td></tr>'
    most, at = max(times)
    cells = (
        duration(sum(ms for ms, _ in times)),
        duration(median(ms for ms, _ in times)),
        f"{duration(most)}, step {_link(link, at, str(at))}",
    )
    return first + "".join(f'<td class="kv-num">{cell}</td>' for cell in cells) + "</tr>"

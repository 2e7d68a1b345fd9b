"""Scoring sheets: how each scoring came to its sums, line by line."""

from html import escape

from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sentences import badge
from engine.facets.presentation import Presentation, Sheet, SheetCell, SheetLine

_CROWN = '<svg aria-hidden="true"><use href="#kv-crown"/></svg>'


def sheets(replay: Replay) -> str:
    """Return one sheet for each scoring; the viewer lays the current one on the table."""
    presentation = replay.presentation
    return "".join(_sheet(sheet, presentation) for sheet in presentation.sheets(replay.record))


def _sheet(sheet: Sheet, presentation: Presentation) -> str:
    head = "".join(f'<th scope="col">{badge(seat)}</th>' for seat in range(len(sheet.totals)))
    lines = "".join(_line(line, presentation.bonus_label) for line in sheet.lines)
    total = "".join(
        f"<td><b>+{gained}</b> <small>now {now}</small></td>"
        for gained, now in zip(sheet.gained, sheet.totals, strict=True)
    )
    return (
        f'<div class="kv-sheet" data-from="{sheet.first}" data-to="{sheet.last}" tabindex="0" '
        f'role="region" aria-label="Scoring sheet, steps {sheet.first} to {sheet.last}"><table>'
        f'<thead><tr><th scope="col">Scoring</th>{head}'
        f'<th scope="col">{escape(presentation.returned_label)}</th></tr></thead><tbody>{lines}'
        f'<tr data-step="{sheet.last}"><th scope="row">Sum</th>{total}<td></td></tr>'
        "</tbody></table></div>"
    )


def _line(line: SheetLine, bonus_label: str) -> str:
    """Return what is scored, what was paid for it, and what went back."""
    title = escape(line.title)
    if line.icon:
        title = f'<span class="kv-kg kv-{escape(line.icon)}">{title}</span>'
    if line.worth is not None:
        title += f" <small>{line.worth}</small>"
    cells = "".join(f"<td>{cell.amount}{_payment(cell, bonus_label)}</td>" for cell in line.cells)
    back = " ".join(f"{badge(seat)} {count}" for seat, count in enumerate(line.returned) if count)
    row = f'<tr data-step="{line.i}"><th scope="row">{title}</th>'
    return f"{row}{cells}<td>{back or '–'}</td></tr>"


def _payment(cell: SheetCell, bonus_label: str) -> str:
    html = f' <span class="kv-paid">{_crown(cell)} +{cell.paid}</span>' if cell.paid else ""
    if cell.bonus:
        label = escape(bonus_label)
        html += (
            f' <span class="kv-bonus" title="{label}">+{cell.bonus}'
            f'<span class="kv-quiet"> by {label}</span></span>'
        )
    return html


def _crown(cell: SheetCell) -> str:
    if not cell.majority:
        return ""
    half = " kv-half" if cell.majority == "shared" else ""
    words = f'<span class="kv-quiet">{escape(cell.majority)}</span>'
    return f'<span class="kv-crown{half}">{_CROWN}{words}</span>'

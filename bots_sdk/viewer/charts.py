"""Charts of a match as inline SVG and tables; the viewer adds a cursor and jumps on a click."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bots_sdk.viewer.ledgers import ledger, think_times
from bots_sdk.viewer.replay import Replay
from bots_sdk.viewer.sheets import sheets
from engine.facets.presentation import Chart, ChartGroup, Series, Start
from engine.game import seat_letter

HEIGHT = 200
SMALL_HEIGHT = 90
WIDTH = 1000
"""The drawing is stretched to the room there is; only its height is in pixels."""
_LABEL_GAP = 17
_LABEL_MARGIN = 22


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie in a drawing of some height."""

    low: int
    high: int
    height: int

    def y(self, value: int) -> float:
        """Return pixels from the top."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.height - 8 - share * (self.height - 16), 1)


def charts(replay: Replay, chapters: Sequence[Start]) -> str:
    """Return all that the game has charts and tables of, each in a drawer; the first is open."""
    return "".join(
        f'<details class="kv-chart"{" open" if not number else ""}>'
        f"<summary>{escape(title)}</summary>{body}</details>"
        for number, (title, body) in enumerate(_drawers(replay, chapters))
    )


def _drawers(replay: Replay, chapters: Sequence[Start]) -> Iterator[tuple[str, str]]:
    names = [seat["name"] for seat in replay.record["seats"]]
    for one in replay.presentation.charts(replay.record, replay.insight["scored"]):
        if isinstance(one, ChartGroup):
            yield one.title, _group(one, names, chapters)
        else:
            yield one.title, lines(one.series, names, one.unit, chapters)
    if scorings := sheets(replay):
        yield "Scoring sheets", f'<div class="kv-sheets">{scorings}</div>'
    for table in replay.presentation.tables(replay.record):
        yield table.title, ledger(table, replay)
    yield "Thinking time", think_times(replay)


def _group(group: ChartGroup, names: Sequence[str], chapters: Sequence[Start]) -> str:
    """Return small charts beside each other, high enough for the letters of all seats."""
    height = max(SMALL_HEIGHT, _LABEL_MARGIN + _LABEL_GAP * (len(names) - 1))

    def small(chart: Chart) -> str:
        drawing = lines(chart.series, names, chart.unit, chapters, height)
        return f"<div><h3>{escape(chart.title)}</h3>{drawing}</div>"

    return f'<div class="kv-multiples">{"".join(map(small, group.charts))}</div>'


def lines(
    series: Series, names: Sequence[str], unit: str, chapters: Sequence[Start], height: int = HEIGHT
) -> str:
    """Return stepped lines, one for each seat, told apart by dashes and by names at their ends."""
    values = [value for row in series for value in row]
    scale = Scale(min([0, *values]), max([1, *values]), height)
    last = max(1, len(series) - 1)
    bands = "".join(
        f'<rect class="kv-band" x="{start.i / last * WIDTH:.0f}" width="1.5" height="{height}"/>'
        for start in chapters[1:]
    )
    paths = "".join(
        f'<path class="kv-line kv-s{seat}" vector-effect="non-scaling-stroke" '
        f'd="{_steps([row[seat] for row in series], scale)}"/>'
        for seat in range(len(names))
    )
    ending = ", ".join(f"{seat_letter(s)} {value}" for s, value in enumerate(series[-1]))
    label = f"At the end, in {escape(unit)}: {ending}"
    return (
        f'<figure class="kv-figure"><svg class="kv-axis" width="34" height="{height}" '
        f'aria-hidden="true">{_axis(scale)}</svg>'
        f'<div class="kv-plot"><svg viewBox="0 0 {WIDTH} {height}" preserveAspectRatio="none" '
        f'width="100%" height="{height}" role="img" aria-label="{label}">'
        f'{bands}{paths}</svg><i></i></div><svg class="kv-ends" width="150" height="{height}" '
        f'aria-hidden="true">{_ends(series[-1], names, scale)}</svg></figure>'
    )


def _steps(values: Sequence[int], scale: Scale) -> str:
    last = max(1, len(values) - 1)
    turns = "".join(
        f"H{i / last * WIDTH:.0f}V{scale.y(values[i])}"
        for i in range(1, len(values))
        if values[i] != values[i - 1]
    )
    return f"M0 {scale.y(values[0])}{turns}H{WIDTH}"


def _axis(scale: Scale) -> str:
    marks = sorted({scale.low, (scale.low + scale.high) // 2, scale.high})
    return "".join(
        f'<text x="30" y="{scale.y(mark) + 4}">{_axis_label(mark)}</text>' for mark in marks
    )


def _axis_label(value: int) -> str:
    """Return a value in the room of four digits."""
    return f"{value / 1000:.0f}k" if abs(value) >= 10_000 else str(value)


def _ends(values: Sequence[int], names: Sequence[str], scale: Scale) -> str:
    """Return names at the ends of the lines, moved apart where they would touch."""
    order = sorted(range(len(values)), key=lambda seat: -values[seat])
    lowest = scale.height - 6 - _LABEL_GAP * (len(order) - 1)
    at, labels = 10.0 - _LABEL_GAP, []
    for number, seat in enumerate(order):
        at = max(at + _LABEL_GAP, min(scale.y(values[seat]), lowest + _LABEL_GAP * number))
        name = names[seat] if len(names[seat]) < 19 else names[seat][:18] + "…"
        labels.append(
            f'<text class="kv-s{seat}" x="6" y="{at + 4:.0f}"><tspan class="kv-letter">'
            f'{seat_letter(seat)}</tspan><tspan class="kv-endname"> {escape(name)}</tspan></text>'
        )
    return "".join(labels)

"""Charts of a match as inline SVG and tables; the viewer adds a cursor and jumps on a click."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bots_sdk.viewer.ledgers import actions, barter_ledger, think_times
from bots_sdk.viewer.log import Link
from bots_sdk.viewer.moments import Start, standing, views_of
from bots_sdk.viewer.sheets import sheets
from engine.barter.gems import NAMES
from engine.game import SEAT_LETTERS
from engine.games.edelsteinsuche.cards import SERIES
from engine.record.insight import MatchInsight
from engine.record.recorder import Record

HEIGHT = 200
WIDTH = 1000
"""The drawing is stretched to the room there is; only its height is in pixels."""
_LABEL_GAP = 17

Series = Sequence[Sequence[int]]
"""For each step a value for each seat."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie in a drawing of some height."""

    low: int
    high: int
    height: int

    def y(self, value: int) -> float:
        """Pixels from the top."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.height - 8 - share * (self.height - 16), 1)


def charts(record: Record, told: MatchInsight, chapters: Sequence[Start], link: Link) -> str:
    """All charts that make sense for this game, each in a drawer; the first is open."""
    names = [seat["name"] for seat in record["seats"]]
    drawn = [*_races(record, told, names, chapters), *_ledgers(record, link)]
    return "".join(
        f'<details class="kv-chart"{" open" if not number else ""}>'
        f"<summary>{title}</summary>{body}</details>"
        for number, (title, body) in enumerate(drawn)
    )


def _races(
    record: Record, told: MatchInsight, names: list[str], chapters: Sequence[Start]
) -> list[tuple[str, str]]:
    def draw(series: Series, what: str) -> str:
        return lines(series, names, what, chapters)

    first = (record["steps"][0]["view"].get("seats") or [{}])[0]
    if "missing" in first:
        shown = [[SERIES + score for score in row] for row in standing(record)]
        drawn = [("Open cards", draw(shown, "open cards"))]
        if "redacted" not in record:
            drawn.append(("Known cards", draw(_known(record), "known cards")))
        return drawn
    if "gems" not in first:
        return []
    title, unit = ("Money race", "million") if "money" in first else ("Points race", "points")
    drawn = [(title, draw(standing(record), unit))]
    if told["scored"]:
        drawn.append(("If scored now", draw(told["scored"], unit)))
    return [*drawn, ("Gems", _gems(record, names, chapters))]


def _ledgers(record: Record, link: Link) -> list[tuple[str, str]]:
    drawn = []
    if scored := sheets(record):
        drawn.append(("Scoring sheets", f'<div class="kv-sheets">{scored}</div>'))
    if any(step["t"] == "choose" for step in record["steps"]):
        drawn.append(("Actions", actions(record, link)))
        drawn.append(("Barters", barter_ledger(record, link)))
    return [*drawn, ("Thinking time", think_times(record, link))]


def _known(record: Record) -> list[list[int]]:
    return [
        [sum(len(row) - row.count(None) for row in table) for table in view["known"]]
        for view in views_of(record)
    ]


def _gems(record: Record, names: Sequence[str], chapters: Sequence[Start]) -> str:
    """A small chart for each colour."""
    counts = [[seat["gems"] for seat in view["seats"]] for view in views_of(record)]
    small = [
        f"<div><h3>{colour.capitalize()}</h3>"
        + lines(
            [[gems[c] for gems in row] for row in counts], names, f"{colour} gems", chapters, 90
        )
        + "</div>"
        for c, colour in enumerate(NAMES)
    ]
    return f'<div class="kv-multiples">{"".join(small)}</div>'


def lines(
    series: Series, names: Sequence[str], what: str, chapters: Sequence[Start], height: int = HEIGHT
) -> str:
    """Stepped lines, one for each seat, told apart by dashes, letters and names at their ends."""
    values = [value for row in series for value in row]
    scale = Scale(min(0, *values), max(1, *values), height)
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
    said = ", ".join(f"{SEAT_LETTERS[s]} {value}" for s, value in enumerate(series[-1]))
    return (
        f'<figure class="kv-figure"><svg class="kv-axis" width="34" height="{height}" '
        f'aria-hidden="true">{_axis(scale)}</svg>'
        f'<div class="kv-plot"><svg viewBox="0 0 {WIDTH} {height}" preserveAspectRatio="none" '
        f'width="100%" height="{height}" role="img" aria-label="At the end, in {what}: {said}">'
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
    return "".join(f'<text x="30" y="{scale.y(mark) + 4}">{mark}</text>' for mark in marks)


def _ends(values: Sequence[int], names: Sequence[str], scale: Scale) -> str:
    """Names at the ends of the lines, moved apart where they would touch."""
    order = sorted(range(len(values)), key=lambda seat: -values[seat])
    lowest = scale.height - 6 - _LABEL_GAP * (len(order) - 1)
    at, labels = 10.0 - _LABEL_GAP, []
    for number, seat in enumerate(order):
        at = max(at + _LABEL_GAP, min(scale.y(values[seat]), lowest + _LABEL_GAP * number))
        name = names[seat] if len(names[seat]) < 19 else names[seat][:18] + "…"
        labels.append(
            f'<text class="kv-s{seat}" x="6" y="{at + 4:.0f}"><tspan class="kv-letter">'
            f'{SEAT_LETTERS[seat]}</tspan><tspan class="kv-endname"> {escape(name)}</tspan></text>'
        )
    return "".join(labels)

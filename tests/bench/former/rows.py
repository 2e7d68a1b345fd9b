"""The rows of the table of goals: what the former commit takes, what this one takes, the target.

Every part of `make bench` keeps its rows in `var/bench/rows`, so that `summary` can print all of
them as one table, whenever they were measured.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.bench.former.checkout import CURRENT, FORMER, ROOT
from tests.bench.former.turns import Figures

FOLDER = ROOT / "var" / "bench" / "rows"
HEADINGS = ("what", "former", "now", "ratio", "spread", "target", "met")


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure, its unit, and what it should reach."""

    what: str
    unit: str
    more_is_better: bool = False
    min_ratio: float | None = None
    """At least so many times better than the former commit, or than a peer."""
    max_value: float | None = None
    """At most this, in the unit."""
    min_value: float | None = None
    """At least this, in the unit."""

    def target(self) -> str:
        """Return it in words."""
        parts = []
        if self.min_ratio is not None:
            parts.append(f"≥ {self.min_ratio:g} ×")
        if self.max_value is not None:
            parts.append(f"≤ {self.max_value:g} {self.unit}")
        if self.min_value is not None:
            parts.append(f"≥ {self.min_value:g} {self.unit}")
        return " or ".join(parts)

    def is_met(self, value: float | None, ratio: float | None) -> bool | None:
        """Return whether one of the targets is reached, or None if that cannot be known."""
        checks = [
            ratio >= self.min_ratio if ratio is not None and self.min_ratio is not None else None,
            value <= self.max_value if value is not None and self.max_value is not None else None,
            value >= self.min_value if value is not None and self.min_value is not None else None,
        ]
        known = [check for check in checks if check is not None]
        return any(known) if known else None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table, ready to be shown."""

    what: str
    former: str = ""
    now: str = ""
    ratio: str = ""
    spread: str = ""
    target: str = ""
    met: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return them in the order of the headings."""
        return (self.what, self.former, self.now, self.ratio, self.spread, self.target, self.met)


def compare(goal: Goal, figures: Figures, name: str, peer: str = FORMER, own: str = CURRENT) -> Row:
    """Return the row of a figure: how many times better this tree is than the former one."""
    former, now = figures.typical(peer, name), figures.typical(own, name)
    better = (own, peer) if goal.more_is_better else (peer, own)
    ratios = figures.ratios(*better, name)
    ratio = median(ratios) if ratios else None
    return Row(
        goal.what,
        show_value(former, goal.unit),
        show_value(now, goal.unit),
        f"{ratio:.2f} ×" if ratio is not None else "",
        f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else "",
        goal.target(),
        {True: "yes", False: "no", None: ""}[goal.is_met(now, ratio)],
    )


def show_value(value: float | None, unit: str) -> str:
    """Return a figure with its unit, with as many digits as mean something."""
    if value is None:
        return ""
    digits = 2 if value < 1 else 1 if value < 100 else 0
    return f"{value:,.{digits}f} {unit}".strip()


def report(part: str, rows: list[Row]) -> None:
    """Print the rows of a part, and keep them for the summary."""
    print_table(rows)
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = {
        "measured_at": datetime.now(UTC).isoformat(timespec="minutes"),
        "rows": [asdict(row) for row in rows],
    }
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    (FOLDER / f"{part}.json").write_text(text, encoding="utf-8")


def kept_rows(parts: Iterable[str], folder: Path = FOLDER) -> list[tuple[str, str, list[Row]]]:
    """Return the part, the time and the rows of each of these parts that was measured."""
    kept = []
    for part in parts:
        path = folder / f"{part}.json"
        if path.exists():
            stored = json.loads(path.read_text(encoding="utf-8"))
            kept.append((part, stored["measured_at"], [Row(**row) for row in stored["rows"]]))
    return kept


def print_table(rows: list[Row]) -> None:
    """Print rows as columns."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        first = line[0].ljust(widths[0])
        others = [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        print("  " + "  ".join([first, *others]).rstrip(), flush=True)


def markdown(rows: list[Row]) -> str:
    """Return rows as the lines of a table in docs/performance.md."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

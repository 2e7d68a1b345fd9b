"""How a game is presented to people: its score, chapters, marks, charts and tables.

Values and plain sentences only: whoever shows them knows HTML, terminals or feeds. In a text a seat
is `{0}`, as in the sentences of a record. A game derives a class and overrides what it can say
better than the defaults.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from engine.record.types import AnyRecord, AnyStep, Json
from engine.record.views import views_of

Steps = Sequence[AnyStep]
Series = Sequence[Sequence[int]]
"""For each step a value for each seat."""


class Start(NamedTuple):
    """Where something begins, and what it is called."""

    i: int
    name: str
    neutral: str = ""
    """What it is called for those who have not watched so far, if the name tells what happens."""


class Mark(NamedTuple):
    """A step worth a mark on the timeline."""

    i: int
    kind: str
    text: str


class MarkKind(NamedTuple):
    """What a kind of mark is called, its outline around the origin, and where it is drawn."""

    name: str
    outline: str
    below: bool = False
    """Below the line of the chapters, not on it."""


class Scene(NamedTuple):
    """Steps that belong together; the highlights show all of them or none."""

    first: int
    last: int
    weight: int
    """The heaviest scenes come first."""
    title: str = ""
    """How it is listed among the key moments; not at all if empty."""


class Chart(NamedTuple):
    """A line for each seat over all steps."""

    title: str
    unit: str
    series: Series


class ChartGroup(NamedTuple):
    """Small charts that are shown together."""

    title: str
    charts: list[Chart]


class Cell(NamedTuple):
    """A cell of a table: its text, where it leads, and how it looks."""

    text: str
    step: int | None = None
    style: str = ""
    sign: str = ""
    """A picture in a letter, which `hint` says in words."""
    hint: str = ""


class Table(NamedTuple):
    """A table among the charts. Its first column names the row."""

    title: str
    head: tuple[Cell, ...]
    rows: list[list[Cell]]
    note: str = ""
    style: str = "ledger"


class SheetCell(NamedTuple):
    """What a seat had in a line of a scoring sheet, and what it got for it."""

    amount: int
    paid: int = 0
    majority: str = ""
    """Whether it was paid `alone` or `shared` the most."""
    bonus: int = 0


class SheetLine(NamedTuple):
    """One line of a scoring: what is scored, what each seat got, what it gave back."""

    i: int
    title: str
    icon: str
    worth: int | None
    cells: list[SheetCell]
    returned: list[int]


class Sheet(NamedTuple):
    """How one scoring came to its sums."""

    lines: list[SheetLine]
    gained: list[int]
    totals: list[int]

    @property
    def first(self) -> int:
        """The step of its first line."""
        return self.lines[0].i

    @property
    def last(self) -> int:
        """The step of its last line."""
        return self.lines[-1].i


class Inline(NamedTuple):
    """A part of a sentence that is shown with an icon."""

    start: int
    end: int
    icon: str
    text: str
    quiet: str = ""
    """The rest of it, for those who cannot see the icon."""


class Presentation:
    """The default: a game of which nothing but its record is known."""

    score_label: str = "Score"
    score_unit: str = "points"
    """What is counted, as the axis of a chart says it; a score of 1 goes without its last s."""
    score_field: str | None = None
    """The field of a seat in the view that shows its score so far."""
    score_sign: int = 1
    """-1 if the field counts what is missing."""
    has_margins: bool = True
    """Whether the distance between two scores says something."""
    durations_ms: ClassVar[Mapping[str, int]] = {"start": 800, "end": 1500}
    """How long each kind of step is shown at speed 1; others for `DEFAULT_MS`."""
    DEFAULT_MS = 600
    mark_kinds: ClassVar[Mapping[str, MarkKind]] = {}
    """The game's own kinds of marks."""
    jump_kind: str | None = None
    """The kind of mark that has keys of its own, forwards and backwards."""
    bonus_label: str = "bonus"
    """What a bonus on a scoring sheet is paid for."""
    returned_label: str = "Given back"
    """The head of the column of a scoring sheet with what everybody gave back."""
    filters: ClassVar[Mapping[str, str]] = {}
    """The game's own filters of the log: kinds with their labels."""
    numbers: ClassVar[Mapping[str, Json]] = {}
    """Fixed numbers of the rules for those who draw a table."""

    @property
    def mean_label(self) -> str:
        """What a mean of scores is called at the head of a table."""
        return f"{self.score_label} per game"

    def format_score(self, score: int) -> str:
        """Return a final score as people read it: `61 points`."""
        unit = self.score_unit.removesuffix("s") if abs(score) == 1 else self.score_unit
        return f"{score:,}".replace("-", "−") + f" {unit}"

    def format_short(self, score: int) -> str:
        """Return a score where there is little room."""
        return f"{score:,}".replace("-", "−")

    def format_mean(self, mean: float) -> str:
        """Return a mean of scores."""
        return f"{mean:,.1f}".replace("-", "−")

    def seat_score(self, seat: Mapping[str, Json]) -> int:
        """Return the score so far that a seat's part of the view shows; 0 if it shows none."""
        if self.score_field is None:
            return 0
        return self.score_sign * int(seat[self.score_field])

    def scores(self, record: AnyRecord) -> list[list[int]]:
        """Return the score so far of every seat after each step."""
        return [
            [self.seat_score(seat) for seat in view.get("seats", [])] for view in views_of(record)
        ]

    def duration_ms(self, step: AnyStep) -> int:
        """Return how long a step is shown at speed 1."""
        return self.durations_ms.get(step["t"], self.DEFAULT_MS)

    def chapters(self, steps: Steps) -> list[Start]:
        """Return the parts of a match, the first at step 0."""
        return [Start(0, "Start")]

    def rounds(self, steps: Steps) -> list[Start]:
        """Return the rounds or turns of a match."""
        return []

    def milestones(self, steps: Steps) -> list[Start]:
        """Return the steps after which a short report tells how everybody stands."""
        return [Start(len(steps) - 1, "End")]

    def is_scoring(self, step: AnyStep) -> bool:
        """Return whether a step is part of a scoring."""
        return False

    def marks(self, steps: Steps) -> list[Mark]:
        """Return the marks that only this game has."""
        return []

    def scenes(self, steps: Steps) -> list[Scene]:
        """Return what must be seen as a whole or not at all."""
        return []

    def filter_of(self, step: AnyStep) -> str | None:
        """Return the game's own filter by which a line of the log is shown."""
        return None

    def charts(self, record: AnyRecord, if_scored: Series | None) -> list[Chart | ChartGroup]:
        """Return the charts of a match; `if_scored` is what every seat would have if scored now."""
        if self.score_field is None:
            return []
        charts: list[Chart | ChartGroup] = [
            Chart(f"{self.score_label} race", self.score_unit, self.scores(record))
        ]
        if if_scored:
            charts.append(Chart("If scored now", self.score_unit, if_scored))
        return charts

    def sheets(self, record: AnyRecord) -> list[Sheet]:
        """Return a sheet for each scoring of a match."""
        return []

    def tables(self, record: AnyRecord) -> list[Table]:
        """Return the tables that stand among the charts."""
        return []

    def viewer_data(self, steps: Steps) -> dict[str, Json]:
        """Return what the game's own table in the viewer needs besides the record."""
        return {}

    def card_title(self, card: str) -> str:
        """Return the name of a card."""
        return card

    def inline(self, text: str) -> Iterator[Inline]:
        """Yield the parts of a sentence that are shown with an icon, from left to right."""
        return iter(())

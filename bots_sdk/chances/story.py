"""The story of a match in two to five sentences: who led, what turned it, how it ended.

The sentences are made from templates, chosen by the digest of the record: the same match always
has the same story, and two matches seldom read alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bots_sdk.chances import wording
from bots_sdk.chances.values import PER_MILLE, Chances, Row, TurningPoint, error_of_lead
from bots_sdk.viewer.sentences import plain, sentence
from engine.facets.presentation import Presentation
from engine.game import Seat
from engine.record.ending import forfeiting_faults
from engine.record.types import AnyRecord

MAX_TURNS_TOLD = 2
MAX_LONG_SHOT = 150
"""Whoever won from a chance below this, per mille, or below half of its share, came from behind."""
SECOND_TURN = 150
"""A second turning point is told if it is as large as this, per mille."""
CLEARLY = 2.0
"""A favourite leads by more than so many standard errors."""
NEAR_THE_MIDDLE = 6
"""How things stood in the middle is known from a row within this part of the match from there."""


class Sentence(NamedTuple):
    """A sentence in the form of those of a record: `{0}` is a seat."""

    text: str
    step: int | None = None
    """The step whose own sentence is part of it, and whose cards it names."""


def story(record: AnyRecord, chances: Chances, presentation: Presentation) -> list[Sentence]:
    """Return the story of a match; nothing if its chances are not known."""
    if not chances.rows:
        return []
    return _Storyteller(record, chances, presentation).tell()


def story_html(record: AnyRecord, chances: Chances, presentation: Presentation) -> list[str]:
    """Return the sentences as HTML, with the names of the seats, escaped."""
    return [
        sentence(one.text, _step(record, one), _names(record), presentation)
        for one in story(record, chances, presentation)
    ]


def story_text(record: AnyRecord, chances: Chances, presentation: Presentation) -> list[str]:
    """Return the sentences in bare words; they are escaped for HTML all the same."""
    return [
        plain(one.text, _step(record, one), _names(record), presentation)
        for one in story(record, chances, presentation)
    ]


def _step(record: AnyRecord, one: Sentence) -> dict[str, object]:
    return {} if one.step is None else dict(record["steps"][one.step])


def _names(record: AnyRecord) -> list[str]:
    return [seat["name"] for seat in record["seats"]]


class _Storyteller:
    def __init__(self, record: AnyRecord, chances: Chances, presentation: Presentation) -> None:
        self.record = record
        self.chances = chances
        self.presentation = presentation
        self.choice = int(record["digest"][-8:], 16)
        """Chooses among templates."""

    def tell(self) -> list[Sentence]:
        """Return all sentences."""
        return [*self._lead(), *self._turns(), *self._forfeits(), self._end()]

    def _pick(self, templates: Sequence[str]) -> str:
        """Return one of the templates; each question gets an answer of its own."""
        self.choice, rest = divmod(self.choice, len(templates))
        return templates[rest]

    def _lead(self) -> list[Sentence]:
        row = self._half_time()
        if row is None:
            return []
        seat = self._favourite(row)
        if seat is None:
            return [Sentence(self._pick(wording.OPEN))]
        chance = self.chances.in_words(row.step, seat)
        return [Sentence(_fill(self._pick(wording.LEADS), seat=seat, chance=chance))]

    def _half_time(self) -> Row | None:
        """Return the row of the middle of the match; None if no row is near it."""
        steps = len(self.record["steps"])
        row = min(self.chances.estimates, key=lambda row: abs(row.step - steps // 2))
        return row if abs(row.step - steps // 2) <= steps // NEAR_THE_MIDDLE else None

    def _favourite(self, row: Row) -> Seat | None:
        """Return the seat that is clearly ahead in a row, if any is."""
        second, best = sorted(row.chances)[-2:]
        error = error_of_lead(best, second, self.chances.playouts)
        return row.chances.index(best) if best - second > CLEARLY * PER_MILLE * error else None

    def _turns(self) -> list[Sentence]:
        """Tell of swings; those that came with a forfeit are told by the forfeit."""
        points = self.chances.turning_points
        if not points:
            return [Sentence(self._pick(wording.QUIET))]
        # What brought the winner there matters most, however large the swings of others were.
        largest, *others = sorted(
            points, key=lambda point: (point.forfeited, not self._won(point.winner), -point.size)
        )[:MAX_TURNS_TOLD]
        if largest.forfeited:
            return []
        sentences = self._turn(largest)
        # With a forfeit there is something else to tell, and five sentences are enough.
        if not self.record["outcome"]["forfeits"]:
            sentences += [
                self._other_turn(other, largest) for other in others if other.size >= SECOND_TURN
            ]
        return sentences

    def _won(self, seat: Seat) -> bool:
        return self.chances.decided and self.record["outcome"]["placements"][seat] == 1

    def _turn(self, point: TurningPoint) -> list[Sentence]:
        """Tell what made a swing, and what it did; of a slow one only what happened."""
        if self._is_slow(point):
            return [self._effect(wording.SLOW_RISES, wording.SLOW_FALLS, point)]
        text = _fill(
            self._pick(self._openings(point)),
            winner=point.winner,
            step=str(point.step),
            text=str(self.record["steps"][point.step]["text"]),
        )
        return [Sentence(text, point.step), self._effect(wording.RISES, wording.FALLS, point)]

    def _is_slow(self, point: TurningPoint) -> bool:
        """Return whether there are rows between the two of a swing."""
        return any(point.first < row.step < point.last for row in self.chances.rows)

    def _openings(self, point: TurningPoint) -> Sequence[str]:
        """Return what can be said of the largest swing without a forfeit."""
        forfeits = any(other.forfeited for other in self.chances.turning_points)
        if forfeits or not self._won(point.winner):
            return wording.SWINGS
        was, is_now = (
            chances[point.winner] == max(chances)
            for chances in map(self._chances_at, (point.first, point.last))
        )
        if was or not is_now:
            return wording.HELPS
        half_time = self._half_time()
        is_late = half_time is not None and point.step > half_time.step
        return wording.LATE_TURNS if is_late else wording.TURNS

    def _chances_at(self, step: int) -> list[int]:
        return next(row.chances for row in self.chances.rows if row.step == step)

    def _effect(self, rises: Sequence[str], falls: Sequence[str], point: TurningPoint) -> Sentence:
        """Tell of the seat whose chance changed most, and who paid or gained."""
        before, after = self._chances_at(point.first), self._chances_at(point.last)
        changes = [now - then for then, now in zip(before, after, strict=True)]
        if changes[point.seat] > 0:
            template, other = self._pick(rises), point.loser
            most, some = wording.LOST_MOST, wording.LOST
        else:
            template, other = self._pick(falls), point.winner
            most, some = wording.GAINED_MOST, wording.GAINED
        others = ""
        if len(changes) > 2:  # Of two it is clear.
            others = self._pick(most if 2 * abs(changes[other]) > point.size else some)
        return Sentence(self._tell(template.replace("{others}", others), point, other))

    def _other_turn(self, point: TurningPoint, largest: TurningPoint) -> Sentence:
        is_later = point.first >= largest.last
        template = self._pick(wording.LATER_SWINGS if is_later else wording.EARLIER_SWINGS)
        return Sentence(self._tell(template, point, point.seat))

    def _tell(self, template: str, point: TurningPoint, other: Seat) -> str:
        """Return a template about a swing with what is known of it."""
        return _fill(
            template,
            at="around" if self._is_slow(point) else "at",
            step=str(point.step),
            first=str(point.first),
            last=str(point.last),
            seat=point.seat,
            other=other,
            then=self.chances.in_words(point.first, point.seat),
            now=self.chances.in_words(point.last, point.seat),
        )

    def _forfeits(self) -> list[Sentence]:
        forfeiting = forfeiting_faults(self.record["faults"])
        if not forfeiting:
            return []
        clauses = [
            f"{{{seat}}} forfeited {_when(fault['step'])} ({fault['code']})"
            for seat, fault in sorted(forfeiting.items())
        ]
        return [Sentence(f"{_listed(clauses)}.")]

    def _end(self) -> Sentence:
        if not self.chances.decided:
            return Sentence("Everybody forfeited, so nobody won.")
        outcome = self.record["outcome"]
        places, forfeits = outcome["placements"], outcome["forfeits"]
        winners = [seat for seat, place in enumerate(places) if place == 1]
        score = self._score(winners[0])
        if len(winners) > 1:
            return Sentence(f"{_seats(winners)} shared the win with {score} each.")
        return Sentence(self._winning(winners[0], score) + self._second(places, forfeits))

    def _winning(self, winner: Seat, score: str) -> str:
        """Return how the winner won, by the rows of the second half."""
        half_time = self._half_time()
        estimates = self.chances.estimates
        later = [row for row in estimates if half_time and row.step >= half_time.step]
        lowest = min(later or estimates, key=lambda row: row.chances[winner])
        if lowest.chances[winner] < min(MAX_LONG_SHOT, PER_MILLE // 2 // len(lowest.chances)):
            template = self._pick(wording.COMEBACKS).replace("{step}", str(lowest.step))
        elif later and all(self._favourite(row) == winner for row in later):
            template = self._pick(wording.SAFE)
        else:
            template = self._pick(wording.WINS)
        low = self.chances.in_words(lowest.step, winner)
        return _fill(template, seat=winner, low=low, score=score)

    def _second(self, places: Sequence[int], forfeits: Sequence[Seat]) -> str:
        """Return who came second, if that was no matter of forfeits."""
        seats = [seat for seat, place in enumerate(places) if place == 2]
        if not seats or seats[0] in forfeits:
            return "."
        template = self._pick(wording.SECONDS)
        return template.replace("{others}", _seats(seats)).replace("{score}", self._score(seats[0]))

    def _score(self, seat: Seat) -> str:
        """Return the score of a seat as it reads after `with`."""
        score = self.record["outcome"]["scores"][seat]
        if self.presentation.has_margins:
            return self.presentation.format_score(score)
        return self.presentation.format_short(score)


def _fill(template: str, **values: Seat | str) -> str:
    """Return a template with seats, which are numbers, and other texts in it."""
    for name, value in values.items():
        text = f"{{{value}}}" if isinstance(value, int) else value
        template = template.replace(f"{{{name}}}", text)
    return template


def _when(step: int | None) -> str:
    return "before the first step" if step is None else f"at step {step}"


def _seats(seats: Sequence[Seat]) -> str:
    return _listed([f"{{{seat}}}" for seat in seats])


def _listed(parts: Sequence[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last

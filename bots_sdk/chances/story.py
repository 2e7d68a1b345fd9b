"""The story of a match in three to five sentences: who led, what turned it, how it ended.

The sentences are made from templates, chosen by the digest of the record: the same match always
has the same story, and two matches seldom read alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bots_sdk.chances.values import Chances, Row, TurningPoint
from bots_sdk.viewer.sentences import plain, sentence
from engine.facets.presentation import Presentation
from engine.game import Seat
from engine.record.ending import forfeiting_faults
from engine.record.types import AnyRecord

MAX_TURNS_TOLD = 2
LONG_SHOT = 150
"""Whoever won from a chance below this, per mille, came from behind."""
SECOND_TURN = 150
"""A second turning point is told if it is as large as this, per mille."""

_LEADS = (
    "Half way through, {seat} was the favourite with a chance of {chance}.",
    "At half time {seat} was most likely to win, with {chance}.",
    "In the middle of the match things looked best for {seat}: {chance}.",
)
_OPEN = (
    "Half way through, nobody was clearly ahead.",
    "For the first half of the match it was anybody’s game.",
    "At half time the match was still open.",
)
_TURNS = (
    "What turned it was step {step}: {text}",
    "The turning point was step {step}: {text}",
    "Then came step {step}: {text}",
)
_LATER_TURNS = (
    "It turned once more at step {step}, and {winner} went from {then} to {now}.",
    "After that, step {step} mattered most: {winner} rose from {then} to {now}.",
    "Later, at step {step}, {winner} went from {then} to {now}.",
)
_EARLIER_TURNS = (
    "Before that, step {step} had lifted {winner} from {then} to {now}.",
    "It had swung once before, at step {step}, when {winner} went from {then} to {now}.",
    "Earlier, at step {step}, {winner} had gone from {then} to {now}.",
)
_EFFECTS = (
    "That took {winner} from {then} to {now}, mostly at the expense of {loser}.",
    "The chance of {winner} rose from {then} to {now}, and {loser} paid for most of it.",
    "{winner} had {then} before and {now} after it; nobody lost more than {loser}.",
)
_QUIET = (
    "No single step turned it: the chances changed little by little.",
    "There was no turning point; it was decided bit by bit.",
)
_COMEBACKS = (
    "From a chance of {low} at step {step}, {seat} still won with {score}",
    "{seat} was down to {low} at step {step} and won after all, with {score}",
)
_SAFE = (
    "{seat} led for all of the second half and won with {score}",
    "Nobody caught up with {seat}, who won with {score}",
)
_WINS = (
    "In the end {seat} won with {score}",
    "{seat} won with {score}",
    "The winner was {seat} with {score}",
)
_SECONDS = ("; {others} came second with {score}.", ", ahead of {others} with {score}.")


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
        return [self._lead(), *self._turns(), *self._forfeits(), self._end()]

    def _pick(self, templates: Sequence[str]) -> str:
        """Return one of the templates; each question gets an answer of its own."""
        self.choice, rest = divmod(self.choice, len(templates))
        return templates[rest]

    def _lead(self) -> Sentence:
        row = self._half_time()
        best = max(row.chances)
        others = sorted(row.chances)[:-1]
        if best - others[-1] <= self.chances.error:
            return Sentence(self._pick(_OPEN))
        seat = row.chances.index(best)
        chance = self.chances.in_words(row.step, seat)
        return Sentence(self._fill(self._pick(_LEADS), seat=seat, chance=chance))

    def _half_time(self) -> Row:
        """Return the row of the middle of the match."""
        middle = len(self.record["steps"]) // 2
        return min(self.chances.rows[:-1], key=lambda row: abs(row.step - middle))

    def _turns(self) -> list[Sentence]:
        if not self.chances.turning_points:
            return [Sentence(self._pick(_QUIET))]
        # What brought the winner there matters most, however large the swings of others were.
        places = self.record["outcome"]["placements"]
        largest, *others = sorted(
            self.chances.turning_points, key=lambda point: (places[point.winner] > 1, -point.size)
        )[:MAX_TURNS_TOLD]
        text = str(self.record["steps"][largest.step]["text"])
        template = self._pick(_TURNS).replace("{step}", str(largest.step))
        sentences = [
            Sentence(template.replace("{text}", text), largest.step),
            self._effect(self._pick(_EFFECTS), largest),
        ]
        # With a forfeit there is something else to tell, and five sentences are enough.
        if not self.record["outcome"]["forfeits"]:
            sentences += [
                self._effect(self._pick(_LATER_TURNS if other > largest else _EARLIER_TURNS), other)
                for other in others
                if other.size >= SECOND_TURN
            ]
        return sentences

    def _effect(self, template: str, point: TurningPoint) -> Sentence:
        return Sentence(
            self._fill(
                template.replace("{step}", str(point.step)),
                winner=point.winner,
                loser=point.loser,
                then=self.chances.in_words(point.first, point.winner),
                now=self.chances.in_words(point.last, point.winner),
            )
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
        outcome = self.record["outcome"]
        places, forfeits = outcome["placements"], outcome["forfeits"]
        winners = [seat for seat, place in enumerate(places) if place == 1]
        score = self._score(winners[0])
        if len(forfeits) == len(places):
            return Sentence(f"Everybody had forfeited, and {_seats(winners)} came out first.")
        if len(winners) > 1:
            return Sentence(f"{_seats(winners)} shared the win with {score} each.")
        return Sentence(self._winning(winners[0], score) + self._second(places, forfeits))

    def _winning(self, winner: Seat, score: str) -> str:
        """Return how the winner won."""
        middle = self._half_time().step
        later = [row for row in self.chances.rows[:-1] if row.step >= middle]
        lowest = min(later, key=lambda row: row.chances[winner])
        if lowest.chances[winner] < LONG_SHOT:
            template = self._pick(_COMEBACKS).replace("{step}", str(lowest.step))
        elif all(row.chances[winner] == max(row.chances) for row in later):
            template = self._pick(_SAFE)
        else:
            template = self._pick(_WINS)
        low = self.chances.in_words(lowest.step, winner)
        return self._fill(template, seat=winner, low=low, score=score)

    def _second(self, places: Sequence[int], forfeits: Sequence[Seat]) -> str:
        """Return who came second, if that was no matter of forfeits."""
        seats = [seat for seat, place in enumerate(places) if place == 2]
        if not seats or seats[0] in forfeits:
            return "."
        template = self._pick(_SECONDS)
        return template.replace("{others}", _seats(seats)).replace("{score}", self._score(seats[0]))

    def _score(self, seat: Seat) -> str:
        """Return the score of a seat as it reads after `with`."""
        score = self.record["outcome"]["scores"][seat]
        if self.presentation.has_margins:
            return self.presentation.format_score(score)
        return self.presentation.format_short(score)

    @staticmethod
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

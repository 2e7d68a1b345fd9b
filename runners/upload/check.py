"""Checking an upload: named steps, one after the other, until one fails.

The first steps read the file; the others run it, and they do that in a box and nowhere else.
All of them together have one budget of time, and chance of their own: a bot that recognised its
check could behave there and nowhere else.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any

from engine.game import Game, Seat
from engine.rng import Rng
from runners.boxed import FILE, BoxedPlayer, boxed_players
from runners.failures import Failure
from runners.faults import Message, Situation, Value, message
from runners.limits import DEFAULT, Limits
from runners.match import MatchResult, describe, play
from runners.players import Player, Question, RandomPlayer
from runners.protocol import BotReply
from runners.seeds import seat_seed
from runners.stopwatch import Stopwatch, TimeIsUp
from runners.upload import traceback_lines
from runners.upload.asked import (
    AskedQuestion,
    describe as describe_question,
    judge,
    returned_values,
)
from runners.upload.outline import MAX_EXCERPT
from runners.upload.source import Finding, Outline, Upload, read_upload
from runners.upload.steps import BOXED_STEPS, StepName

FIXED_SEED = "upload check"
"""For anybody who wants to see the same thing twice."""
QUESTIONS = 40
"""Positions that are asked for each number of seats."""
MIN_QUESTIONS = 8
"""Of a bot that thinks for long: it must not run out of time just because it is asked so often."""
ANSWERS_SHARE = 1 / 12
"""Of the time of a whole check: what thinking about the positions of one game may take."""

MAX_LISTED = 20
"""Imports that are named."""

Opponent = Callable[[str], Player]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the check. A failed one has a message, and the place if there is one."""

    name: StepName
    ok: bool
    text: str
    ms: float = 0.0
    message: Message | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    traceback: str | None = None
    seed: str | None = None
    """Of a step that runs the bot: with the same one the same happens again."""
    asked: AskedQuestion | None = None
    """What the bot was asked when it failed."""
    notices: tuple[Message, ...] = ()
    """What is worth telling the author and no reason to refuse the file."""


def fresh_seed() -> str:
    """Return a seed that nobody can foresee."""
    return secrets.token_hex(8)


def check_budget(limits: Limits) -> Stopwatch:
    """Return the time of one whole check, begun; hand it to the check of each game."""
    return Stopwatch(limits.check_wall_ms / 1000, limits.max_check_seconds())


def check(
    data: bytes,
    game: Game,
    opponents: Sequence[Opponent] = (RandomPlayer,),
    limits: Limits = DEFAULT,
    *,
    seat: Mapping[str, Any] | None = None,
    keep: Callable[[MatchResult], None] | None = None,
    seed: str | None = None,
    budget: Stopwatch | None = None,
    file: str = FILE,
) -> Iterator[Step]:
    """Yield the steps as they are done; after one that failed there are no more.

    The opponents of the smoke match are made like any player, and used in turn. `keep` is
    called with the match before its step comes; `seat` is how the bot stands in the record, and
    `file` what tracebacks and messages call it. Without a `seed` and a `budget` the check has a
    fresh one and one of its own.
    """
    work = _Check(
        data,
        game,
        opponents,
        limits,
        seat or describe("the bot"),
        keep,
        seed or fresh_seed(),
        budget or check_budget(limits),
        file,
    )
    for name, step in work.steps():
        started_at = perf_counter()
        result = work.attempt(name, step)
        yield replace(
            result,
            ms=round((perf_counter() - started_at) * 1000, 1),
            seed=work.seed if name in BOXED_STEPS else None,
            notices=work.take_notices(),
        )
        if not result.ok:
            return


class _BotFailed(Exception):
    """The bot failed in its box."""

    def __init__(
        self, failure: Failure, asked: AskedQuestion | None = None, **values: Value
    ) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.asked = asked
        self.values = values


class _Check:
    def __init__(
        self,
        data: bytes,
        game: Game,
        opponents: Sequence[Opponent],
        limits: Limits,
        seat: Mapping[str, Any],
        keep: Callable[[MatchResult], None] | None,
        seed: str,
        budget: Stopwatch,
        file: str,
    ) -> None:
        self.data = data
        self.game = game
        self.opponents = opponents
        self.limits = limits
        self.seat = seat
        self.keep = keep
        self.seed = seed
        self.budget = budget
        self.file = file
        self._notices: list[Message] = []
        self._log_cut = False
        self._first_failure: _BotFailed | None = None

    def attempt(self, name: StepName, step: Callable[[], str]) -> Step:
        """Do a step, and return how it went."""
        try:
            return Step(name, True, step())
        except Finding as finding:
            text = message(finding.code, Situation.CHECK, **finding.values)
            excerpt = finding.excerpt or self._source_line(finding.line)
            return Step(
                *(name, False, text.title),
                message=text,
                line=finding.line,
                column=finding.column,
                excerpt=excerpt,
            )
        except _BotFailed as error:
            return self._failed_step(name, error)

    def _failed_step(self, name: StepName, error: _BotFailed) -> Step:
        failure, asked = error.failure, error.asked
        values: dict[str, Value] = asked.values() if asked else {}
        values |= traceback_lines.read(failure.traceback, self.file).values()
        if asked and values["line"] is None:
            values["line"] = self.outline.lines.get(asked.method)
        line = values["line"]
        assert line is None or isinstance(line, int)
        return Step(
            *(name, False, failure.detail),
            message=message(
                failure.code, Situation.CHECK, **(values | {"file": self.file} | error.values)
            ),
            line=line,
            excerpt=self._source_line(line),
            traceback=failure.traceback,
            asked=asked,
        )

    def _source_line(self, line: int | None) -> str | None:
        lines = self.upload.text.split("\n")
        if line is None or not 1 <= line <= len(lines):
            return None
        return lines[line - 1].rstrip("\r")[:MAX_EXCERPT]

    def take_notices(self) -> tuple[Message, ...]:
        """Return the notices of the last step; the next one begins without."""
        notices, self._notices = tuple(self._notices), []
        return notices

    def _notice(self, code: str, **values: Value) -> None:
        self._notices.append(message(code, Situation.CHECK, **values, file=self.file))

    def _notice_cut_log(self, at: str) -> None:
        """Say once that it printed too much."""
        if not self._log_cut:
            self._notice("E305", at=at, log_kib=self.limits.log_kib)
        self._log_cut = True

    def steps(self) -> list[tuple[StepName, Callable[[], str]]]:
        """Return all steps in their order."""
        return [
            (StepName.TEXT, self._is_text),
            (StepName.SYNTAX, self._parses),
            (StepName.CLASS, self._has_a_bot),
            (StepName.IMPORTS, self._imports),
            (StepName.START, self._within_budget(self._starts)),
            (StepName.ANSWERS, self._within_budget(self._answers)),
            (StepName.MATCH, self._within_budget(self._finishes_a_match)),
        ]

    @cached_property
    def upload(self) -> Upload:
        """The file, read when the first step asks for it."""
        return read_upload(self.data, self.limits)

    @property
    def outline(self) -> Outline:
        """What can be told of the file without running it."""
        return self.upload.outline

    def _within_budget(self, step: Callable[[], str]) -> Callable[[], str]:
        def attempt() -> str:
            try:
                self.budget.check()
                return step()
            except TimeIsUp:
                raise self._too_long() from None

        return attempt

    def _too_long(self) -> "_BotFailed":
        seconds = f"{self.limits.check_wall_ms / 1000:g} s"
        return _BotFailed(
            Failure("E302", f"The check of all its games took longer than {seconds}."),
            reason=f"within the {seconds} that a check may take, all games of the bot together",
            remedy="Let it answer sooner, or upload a bot for each game.",
        )

    @contextmanager
    def _player(self) -> Iterator[BoxedPlayer]:
        """Yield the bot, loaded in a box of its own."""
        text, files = self.upload.text, [self.file]
        with boxed_players([text], self.seed, self.limits, files=files) as (player,):
            assert isinstance(player, BoxedPlayer)
            self._excuse(player)
            self._first_failure = None
            player.witness = self._remember
            yield player

    def _remember(
        self, question: Question, reply: BotReply | None, failure: Failure | None
    ) -> None:
        """Keep the first failure of a box with what was asked."""
        verdict = judge(question, reply, failure)
        if verdict and self._first_failure is None:
            asked = describe_question(question, reply, self.outline)
            values = returned_values(reply.returned_class if reply else None) | _reason(verdict)
            self._first_failure = _BotFailed(verdict, asked, **values)

    def _excuse(self, player: BoxedPlayer) -> None:
        if player.box.reply:
            self.budget.excuse(player.box.reply.delay_ms)

    def _is_text(self) -> str:
        self.outline.check(StepName.TEXT)
        return f"readable text, {len(self.data) / 1024:.1f} KB"

    def _parses(self) -> str:
        self.outline.check(StepName.SYNTAX)
        return "parses as Python"

    def _has_a_bot(self) -> str:
        bot = self.outline
        bot.check(StepName.CLASS)
        if bot.games and self.game.slug not in bot.games:
            values: dict[str, Value] = {"game": self.game.slug, "games": ", ".join(bot.games)}
            raise Finding("E107", values | {"name": bot.name}, bot.line)
        for warning in bot.warnings:
            self._notice(warning.code, **warning.values)
        return f"Bot class {bot.name} (line {bot.line})"

    def _imports(self) -> str:
        self.outline.check(StepName.IMPORTS)
        names = self.outline.imports
        rest = f" and {len(names) - MAX_LISTED:,} more" if len(names) > MAX_LISTED else ""
        return f"imports allowed: {', '.join(names[:MAX_LISTED]) or 'none'}{rest}"

    def _starts(self) -> str:
        with self._player() as player:
            if player.failure:
                raise _BotFailed(player.failure)
            return f"starts in {player.load_ms:.0f} ms"

    def _answers(self) -> str:
        """Ask in many positions, all seats in turn, each table size in a box of its own."""
        log_cut = False
        max_ms = self.limits.check_wall_ms * ANSWERS_SHARE / len(self.game.seats)
        times: list[float] = []
        for seats in self.game.seats:
            first = len(times)
            with self._player() as player:
                for state, seat in positions(self.game, seats, self.seed):
                    times.append(self._ask(player, Question(self.game, state, seat)))
                    if len(times) - first >= MIN_QUESTIONS and sum(times[first:]) > max_ms:
                        break
                log_cut |= player.log_cut()
        if log_cut:
            self._notice_cut_log("Test set")
        slowest = f"slowest {max(times):.1f} ms"
        return f"{len(times)} decisions from the test set, all legal, {slowest}"

    def _ask(self, player: BoxedPlayer, question: Question) -> float:
        self.budget.check()
        player.ask(question, [])
        *_, ms = player.listen(0)
        self._excuse(player)
        if self._first_failure:
            self._first_failure.values["at"] = "Test set"
            raise self._first_failure
        return ms

    def _finishes_a_match(self) -> str:
        seats = self.game.seats[0]
        with self._player() as player:
            others = [
                self.opponents[seat % len(self.opponents)](seat_seed(self.seed, seat))
                for seat in range(1, seats)
            ]
            descriptions = [
                self.seat,
                *(describe(f"opponent {number}") for number in range(1, seats)),
            ]
            result = play(
                self.game,
                [player, *others],
                self.seed,
                seats=descriptions,
                recorded=self.keep is not None,
                budget=self.budget,
            )
        if self.keep:
            self.keep(result)
        if result.faults:
            fault = result.faults[0]
            failure = Failure(fault.code, fault.detail, fault.traceback)
            error = self._first_failure or _BotFailed(failure)
            error.values["at"] = "Smoke match" + (
                f", step {fault.step}" if fault.step is not None else ""
            )
            raise error
        if result.notices:
            self._notice_cut_log("Smoke match")
        place = result.outcome.placements[0]
        return f"finishes a match, place {place} of {seats}"


def _reason(failure: Failure) -> dict[str, Value]:
    """Return the reason of a failure as its texts say it."""
    if failure.code == "E302":
        return {"reason": failure.detail.removeprefix("It did not answer ").rstrip(".")}
    if failure.code in {"E301", "E308", "E309"}:
        return {"reason": failure.detail.rstrip(".")}
    return {}


def positions(game: Game, seats: int, seed: str = FIXED_SEED) -> list[tuple[object, Seat]]:
    """Return positions that random players came to by this seed, each with the seat to ask."""
    rng, pick = Rng(f"{seed} {seats}"), Rng(f"{seed} {seats} moves")
    state = game.start(seats, {}, rng)
    questions: list[tuple[object, Seat]] = []
    while (asked := game.to_move(state)) and len(questions) < QUESTIONS:
        questions.append((game.clone(state), asked[len(questions) % len(asked)]))
        moves = [(o := game.options(state, seat))[pick.below(len(o))] for seat in asked]
        game.play(state, moves, rng)
    return questions

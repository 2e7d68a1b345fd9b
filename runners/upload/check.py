"""Checking an upload: named steps, one after the other, until one fails.

The first steps read the file; the others run it, and they do that in a box and nowhere else.
All of them together have one budget of time, and chance of their own: a bot that recognised its
check could behave there and nowhere else.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import Any

from engine.game import Game
from runners.boxed import FILE, BoxedPlayer, boxed_players
from runners.bundles.bundle import Bundle
from runners.bundles.cache import DEFAULT_MAX_MIB, place_bundle
from runners.bundles.limits import DEFAULT as BUNDLE_LIMITS, BundleLimits
from runners.bundles.rules import megabytes
from runners.bundles.unpacked import Code
from runners.failures import Failure
from runners.faults import Message, Situation, Value, message
from runners.limits import DEFAULT, Limits
from runners.match import MatchResult, describe, play
from runners.players import Player, Question, RandomPlayer
from runners.protocol import BotReply
from runners.seeds import seat_seed
from runners.stopwatch import Stopwatch, TimeIsUp
from runners.upload.asked import (
    describe as describe_question,
    judge,
    returned_values,
)
from runners.upload.positions import FIXED_SEED, QUESTIONS, positions
from runners.upload.source import Finding, Outline, Upload, read_upload
from runners.upload.step_results import (
    BotFailed,
    Step,
    failed_step,
    failure_reason,
    refused_step,
)
from runners.upload.steps import BOXED_STEPS, StepName

__all__ = [
    "FIXED_SEED",
    "QUESTIONS",
    "Opponent",
    "Step",
    "check",
    "check_budget",
    "fresh_seed",
    "positions",
]

MIN_QUESTIONS = 8
"""Of a bot that thinks for long: it must not run out of time just because it is asked so often."""
ANSWERS_SHARE = 1 / 12
"""Of the time of a whole check: what thinking about the positions of one game may take."""

MAX_LISTED = 20
"""Imports that are named."""
IMPORT_NOTICES = frozenset({"E111", "E112"})
"""What is said in the step that reads the imports."""

Opponent = Callable[[str], Player]


def fresh_seed() -> str:
    """Return a seed that nobody can foresee."""
    return secrets.token_hex(8)


def check_budget(limits: Limits) -> Stopwatch:
    """Return the time of one whole check, begun; hand it to the check of each game."""
    return Stopwatch(limits.check_wall_ms / 1000, limits.max_check_seconds())


def check(
    data: bytes | Bundle,
    game: Game,
    opponents: Sequence[Opponent] = (RandomPlayer,),
    limits: Limits = DEFAULT,
    *,
    seat: Mapping[str, Any] | None = None,
    keep: Callable[[MatchResult], None] | None = None,
    seed: str | None = None,
    budget: Stopwatch | None = None,
    file: str = FILE,
    bundle_limits: BundleLimits = BUNDLE_LIMITS,
    cache_mib: int = DEFAULT_MAX_MIB,
) -> Iterator[Step]:
    """Yield the steps as they are done; after one that failed there are no more.

    The data is a file, a zip, or a bundle that was opened before.
    The opponents of the smoke match are made like any player, and used in turn. `keep` is
    called with the match before its step comes; `seat` is how the bot stands in the record, and
    `file` what tracebacks and messages call a single file. Without a `seed` and a `budget` the
    check has a fresh one and one of its own. `cache_mib` bounds the bundles of this host.
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
        bundle_limits,
        cache_mib,
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


class _Check:
    def __init__(
        self,
        data: bytes | Bundle,
        game: Game,
        opponents: Sequence[Opponent],
        limits: Limits,
        seat: Mapping[str, Any],
        keep: Callable[[MatchResult], None] | None,
        seed: str,
        budget: Stopwatch,
        file: str,
        bundle_limits: BundleLimits,
        cache_mib: int,
    ) -> None:
        self.data = data
        self.game = game
        self.opponents = opponents
        self.limits = limits
        self.seat = seat
        self.keep = keep
        self.seed = seed
        self.budget = budget
        self.bundle_limits = bundle_limits
        self.cache_mib = cache_mib
        self._single_file = file
        self._notices: list[Message] = []
        self._log_cut = False
        self._first_failure: BotFailed | None = None

    def attempt(self, name: StepName, step: Callable[[], str]) -> Step:
        """Do a step, and return how it went."""
        try:
            return Step(name, True, step())
        except Finding as finding:
            return refused_step(name, finding, self.upload)
        except BotFailed as error:
            return failed_step(name, error, self.upload, self.file)

    def take_notices(self) -> tuple[Message, ...]:
        """Return the notices of the last step; the next one begins without."""
        notices, self._notices = tuple(self._notices), []
        return notices

    def _notice(self, code: str, **values: Value) -> None:
        self._notices.append(message(code, Situation.CHECK, **({"file": self.file} | values)))

    def _warn(self, belongs: Callable[[str], bool]) -> None:
        """Pass on those warnings of the outline that belong to a step."""
        for warning in self.outline.warnings:
            if belongs(warning.code):
                self._notice(warning.code, **warning.values)

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
        """What was uploaded, read when the first step asks for it."""
        return read_upload(self.data, self.limits, self.bundle_limits)

    @property
    def file(self) -> str:
        """What tracebacks and messages call the file with the bot."""
        bundle = self.upload.bundle
        return str(bundle.entry) if bundle else self._single_file

    @cached_property
    def code(self) -> Code:
        """What plays in the boxes."""
        bundle = self.upload.bundle
        return place_bundle(bundle, self.cache_mib) if bundle else self.upload.text

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

    def _too_long(self) -> "BotFailed":
        seconds = f"{self.limits.check_wall_ms / 1000:g} s"
        return BotFailed(
            Failure("E302", f"The check of all its games took longer than {seconds}."),
            reason=f"within the {seconds} that a check may take, all games of the bot together",
            remedy="Let it answer sooner, or upload a bot for each game.",
        )

    @contextmanager
    def _player(self) -> Iterator[BoxedPlayer]:
        """Yield the bot, loaded in a box of its own."""
        files = [self.file]
        with boxed_players([self.code], self.seed, self.limits, files=files) as (player,):
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
            values = returned_values(reply.returned_class if reply else None) | failure_reason(
                verdict
            )
            self._first_failure = BotFailed(verdict, asked, **values)

    def _excuse(self, player: BoxedPlayer) -> None:
        if player.box.reply:
            self.budget.excuse(player.box.reply.delay_ms)

    def _is_text(self) -> str:
        self.outline.check(StepName.TEXT)
        if bundle := self.upload.bundle:
            return _describe_files(bundle)
        return f"readable text, {len(self.upload.text.encode()) / 1024:.1f} KB"

    def _parses(self) -> str:
        self.outline.check(StepName.SYNTAX)
        return "parses as Python"

    def _has_a_bot(self) -> str:
        bot = self.outline
        bot.check(StepName.CLASS)
        if bot.games and self.game.slug not in bot.games:
            values: dict[str, Value] = {"game": self.game.slug, "games": ", ".join(bot.games)}
            raise Finding("E107", values | {"name": bot.name}, bot.line, file=bot.file)
        self._warn(lambda code: code not in IMPORT_NOTICES)
        places = [bot.file, bot.line and f"line {bot.line}"]
        return f"Bot class {bot.name} ({', '.join(place for place in places if place)})"

    def _imports(self) -> str:
        self.outline.check(StepName.IMPORTS)
        self._warn(lambda code: code in IMPORT_NOTICES)
        names = self.outline.imports
        rest = f" and {len(names) - MAX_LISTED:,} more" if len(names) > MAX_LISTED else ""
        return f"imports allowed: {', '.join(names[:MAX_LISTED]) or 'none'}{rest}"

    def _starts(self) -> str:
        with self._player() as player:
            if player.failure:
                raise BotFailed(player.failure)
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
            error = self._first_failure or BotFailed(failure)
            error.values["at"] = "Smoke match" + (
                f", step {fault.step}" if fault.step is not None else ""
            )
            raise error
        if result.notices:
            self._notice_cut_log("Smoke match")
        place = result.outcome.placements[0]
        return f"finishes a match, place {place} of {seats}"


def _describe_files(bundle: Bundle) -> str:
    """Return how many files of which kind a bundle has."""
    total, python = len(bundle.files), len(bundle.python_files)
    files = "1 file" if total == 1 else f"{total} files"
    size = bundle.listing.size
    shown = f"{megabytes(size)} MB" if size >= 1 << 20 else f"{size / 1024:.1f} KB"
    return f"bundle of {files}, {shown}: {python} Python, {total - python} data"
